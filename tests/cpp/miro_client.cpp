// A program for a MiRo in roscpp: it drives, and says what it receives of sensors, state and microphones.
//
// miro_client ROBOT

#include <iostream>
#include <string>

#include <ros/ros.h>

#include "messages.h"

namespace {

int sensors = 0;
int states = 0;
long next_sample = -1;

void on_sensors(const PACKAGE::platform_sensors& message) {
  if (++sensors == 20) {
    std::cout << "sensors " << message.battery_voltage << " V " << int(message.cliff[0]) << std::endl;
  }
}

void on_state(const PACKAGE::platform_state& message) {
  if (++states == 20) {
    std::cout << "state " << message.P2_release << " " << message.serial_number << std::endl;
  }
}

void on_mics(const PACKAGE::platform_mics& message) {
  if (next_sample >= 0) {
    std::cout << "mics " << message.fS << " " << message.data.size() << " "
              << (message.sample_number == next_sample ? "gapless" : "gap") << std::endl;
  }
  next_sample = long(message.sample_number) + long(message.data.size()) / 2;
}

}  // namespace

int main(int argc, char** argv) {
  ros::init(argc, argv, "miro_client");
  ros::NodeHandle node;
  const std::string robot = std::string("/miro/") + argv[1] + "/platform/";
  auto control = node.advertise<PACKAGE::platform_control>(robot + "control", 1);
  auto a = node.subscribe(robot + "sensors", 50, on_sensors);
  auto b = node.subscribe(robot + "state", 50, on_state);
  auto c = node.subscribe(robot + "mics", 50, on_mics);
  ros::Rate rate(20);
  while (ros::ok()) {
    PACKAGE::platform_control message;
    message.body_vel.linear.x = 100.0;
    message.tail = 0.5;
    message.lights_max_drive = 127;
    message.lights_off = -20;
    message.lights_amp = 255;
    message.lights_rgb[1] = 255;
    control.publish(message);
    ros::spinOnce();
    rate.sleep();
  }
}
