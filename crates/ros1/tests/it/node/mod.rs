//! A node: among Debian's tools and rospy, and against peers that are silent, broken, slow or of another build.

mod abuse;
mod build;
mod hosts;
mod life;
mod masters;
mod peers;
mod roscpp;
mod rospy;
mod services;
mod slow;
mod support;
mod tools;
