//! `tf2_msgs`.

use super::geometry_msgs::TransformStamped;
use super::macros::messages;

messages! { "tf2_msgs";
    /// Where frames are, each in the one that it hangs in: on `/tf` as they move, on `/tf_static` once and for all.
    TFMessage { transforms: Vec<TransformStamped> }
}
