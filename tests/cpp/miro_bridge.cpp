// A stand-in for a MiRo's bridge in roscpp: it publishes what its platform senses and says what it is told to do.
//
// miro_bridge ROBOT

#include <iostream>
#include <string>

#include <ros/ros.h>

#include "messages.h"

namespace {

double said = 0.0;

void on_control(const PACKAGE::platform_control& message) {
  if (message.body_vel.linear.x != said) {
    said = message.body_vel.linear.x;
    std::cout << "body_vel " << said << std::endl;
  }
}

}  // namespace

int main(int argc, char** argv) {
  ros::init(argc, argv, "miro_bridge");
  ros::NodeHandle node;
  const std::string robot = std::string("/miro/") + argv[1] + "/platform/";
  auto sensors = node.advertise<PACKAGE::platform_sensors>(robot + "sensors", 5);
  auto state = node.advertise<PACKAGE::platform_state>(robot + "state", 5);
  auto mics = node.advertise<PACKAGE::platform_mics>(robot + "mics", 5);
  auto control = node.subscribe(robot + "control", 5, on_control);
  ros::Rate rate(50);
  for (int tick = 0; ros::ok(); ++tick) {
    PACKAGE::platform_sensors senses;
    senses.header.stamp = ros::Time::now();
    senses.time_usec = tick * 20000;
    senses.battery_voltage = 4.9f;
    senses.cliff[0] = senses.cliff[1] = 15;
    sensors.publish(senses);
    PACKAGE::platform_state platform;
    platform.time_usec = senses.time_usec;
    platform.serial_number = 4711;
    platform.P2C_R_signals = 1;
    state.publish(platform);
    if (tick % 5 == 0) {
      PACKAGE::platform_mics heard;
      heard.t_complete = senses.time_usec;
      heard.fS = 20000;
      heard.sample_number = tick * 400;
      heard.data[0] = 511;
      mics.publish(heard);
    }
    ros::spinOnce();
    rate.sleep();
  }
}
