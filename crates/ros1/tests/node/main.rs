//! A node: among Debian's tools and rospy, and against peers that are silent, broken, slow or of another build.

mod rospy;
mod support;
