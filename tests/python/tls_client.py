"""Programs that come by TLS: tls_client.py FOLDER HTTP MISTY

FOLDER has what `latimer cert` made: the root, and a certificate for the client `anna`. Each line of the input makes it look once
more at which certificate the gateway shows, and whether a WebSocket that it opened at first goes on."""

import json
import socket
import ssl
import sys

import requests
import websocket

folder, http, misty = sys.argv[1:]
root, mine = f"{folder}/ca.pem", (f"{folder}/anna.pem", f"{folder}/anna.key")


def shown():
    """The serial number of the certificate that the gateway shows."""
    context = ssl.create_default_context(cafile=root)
    context.load_cert_chain(*mine)
    host, port = http.split(":")
    with socket.create_connection((host, int(port))) as raw:
        with context.wrap_socket(raw, server_hostname="localhost") as secure:
            return secure.getpeercert()["serialNumber"]


robots = requests.get(f"https://{http}/api/v1/robots", verify=root, cert=mine, timeout=10).json()
assert [it["robot"] for it in robots["robots"]] == ["misty-1"], robots
device = requests.get(f"https://{misty}/api/device", verify=root, cert=mine, timeout=10).json()
assert device["status"] == "Success", device

try:
    stranger = requests.get(f"https://{http}/api/v1/robots", verify=root, timeout=10)
    raise AssertionError(f"a client without a certificate got {stranger.status_code}")
except requests.exceptions.ConnectionError:
    pass

secure = {"ca_certs": root, "certfile": mine[0], "keyfile": mine[1]}
stream = websocket.create_connection(f"wss://{http}/api/v1/stream?select=misty-1/imu", sslopt=secure, timeout=10)
assert json.loads(stream.recv()), "the stream begins"
for _ in sys.stdin:
    assert json.loads(stream.recv()), "the stream goes on"
    print(shown(), flush=True)
