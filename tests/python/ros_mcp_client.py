"""A program that asks for robots by the Model Context Protocol: it starts ros-mcp from PyPI and calls its tools, at a robot's own address.

ros_mcp_client.py HOST PORT
"""

import asyncio
import json
import math
import sys
import tempfile

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from patience import PATIENCE_S

host, port = sys.argv[1], int(sys.argv[2])
TWIST = "geometry_msgs/Twist"
ODOMETRY = "nav_msgs/Odometry"


class Tools:
    """The server's tools, each as a function that gives what it answers."""

    def __init__(self, session):
        self.session = session

    def __getattr__(self, name):
        async def call(**arguments):
            answer = await self.session.call_tool(name, arguments)
            assert not answer.isError, (name, answer)
            texts = [part.text for part in answer.content if part.type == "text"]
            values = json.loads(texts[0]) if texts and texts[0].startswith("{") else {}
            assert "error" not in values, (name, arguments, values)
            return {**values, "parts": answer.content}

        return call


async def asks(tools):
    detected = await tools.connect_to_robot(ip=host, port=port)
    assert detected["connectivity_test"]["port_check"]["open"] and "warning" not in detected, detected
    assert (await tools.detect_ros_version())["version"] in (1, "1"), "it is a bridge of ROS 1"
    topics = await tools.get_topics()
    assert {"/odom", "/cmd_vel", "/tf", "/scan"} & set(topics["topics"]) >= {"/odom", "/cmd_vel", "/tf"}, topics
    assert (await tools.get_topic_type(topic="/cmd_vel"))["type"] == TWIST
    details = await tools.get_topic_details(topic="/odom")
    assert details["type"] == ODOMETRY and details["publishers"], details
    fields = await tools.get_message_details(message_type=TWIST)
    assert "linear" in json.dumps({**fields, "parts": None}), fields
    services = (await tools.get_services())["services"]
    assert "/stop" in services and "/rosapi/topics" in services, services
    assert (await tools.get_service_type(service="/stop"))["type"] == "std_srvs/Trigger"
    service = await tools.get_service_details(service="/emergency_stop")
    assert service["request"]["fields"] == {"data": "bool"} and service["provider_count"] == 1, service
    nodes = (await tools.get_nodes())["nodes"]
    assert len(nodes) >= 2, nodes
    node = next(name for name in nodes if "misty" in name)
    assert "/cmd_vel" in (await tools.get_node_details(node=node))["subscribers"]
    assert isinstance((await tools.get_actions())["actions"], list)
    assert (await tools.set_parameter(name="/my_app/speed", value="0.5"))["successful"]
    assert json.loads((await tools.get_parameter(name="/my_app/speed"))["value"]) == 0.5
    assert (await tools.has_parameter(name="/my_app/speed"))["exists"]
    assert (await tools.delete_parameter(name="/my_app/speed"))["successful"]
    assert not (await tools.has_parameter(name="/my_app/speed"))["exists"]


async def drives(tools):
    async def odometry():
        return (await tools.subscribe_once(topic="/odom", msg_type=ODOMETRY, expects_image="false", timeout=PATIENCE_S))["msg"]

    before = await odometry()
    assert len(before["pose"]["covariance"]) == 36, before
    await tools.publish_for_durations(topic="/cmd_vel", msg_type=TWIST, messages=[{"linear": {"x": 0.2}}], durations=[1.5], rate_hz=10)
    place = before["pose"]["pose"]["position"]
    while math.dist(*([at[axis] for axis in "xy"] for at in (place, (await odometry())["pose"]["pose"]["position"]))) < 0.1:
        # The first message of a subscription is the last one that the bridge has.
        await asyncio.sleep(0.1)
    await tools.publish_once(topic="/cmd_vel", msg_type=TWIST, msg={"linear": {"x": 0.0}})
    stopped = await tools.call_service(service_name="/stop", service_type="std_srvs/Trigger", request={})
    assert stopped["success"] and stopped["result"]["success"], stopped
    unknown = await tools.session.call_tool("call_service", {"service_name": "/dance", "service_type": "std_srvs/Trigger", "request": {}})
    assert "there is no service" in unknown.content[0].text, unknown
    seen = await tools.subscribe_once(topic="/camera/compressed", msg_type="sensor_msgs/CompressedImage", expects_image="true", timeout=PATIENCE_S)
    assert any(part.type == "image" for part in seen["parts"]), seen


async def main():
    # It keeps pictures where it is started.
    with tempfile.TemporaryDirectory() as folder:
        server = StdioServerParameters(command=sys.executable, args=["-m", "ros_mcp.main"], cwd=folder)
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            tools = Tools(session)
            await asks(tools)
            await drives(tools)


asyncio.run(asyncio.wait_for(main(), PATIENCE_S))
