// The messages of a MiRo, generated for the package that PACKAGE names.
#pragma once

#define QUOTED(x) #x
#define HEADER(package, name) QUOTED(package/name.h)

#include HEADER(PACKAGE, platform_control)
#include HEADER(PACKAGE, platform_mics)
#include HEADER(PACKAGE, platform_sensors)
#include HEADER(PACKAGE, platform_state)
