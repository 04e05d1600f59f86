//! `std_msgs`: a truth value, a colour, a text.

use latimer_core::model::signal::{Contact, ContactSensor, Frame, Lamp, Text, TextChannel};

use super::{Context, messages};
use crate::describe::Message;
use crate::rosbridge::codecs::Level;

messages! {
    /// `std_msgs/Bool` of a bumper.
    #[message(record = Contact, context = Context, base = BUMPER, when = is_bumper, ignores(sensor, position, frame))]
    Bumper {
        /// Whether it is pressed.
        data: bool = (contacted, required),
    }

    /// `std_msgs/Bool` of a sensor for touch.
    #[message(record = Contact, context = Context, base = TOUCH, when = is_touch, ignores(sensor, position, frame))]
    Touch {
        /// Whether it is touched.
        data: bool = (contacted, required),
    }

    /// `std_msgs/ColorRGBA`.
    #[message(record = Lamp, context = Context)]
    ColorRgba {
        /// 0 to 1.
        r: f64 = (red, codec = Level, required),
        /// 0 to 1.
        g: f64 = (green, codec = Level, required),
        /// 0 to 1.
        b: f64 = (blue, codec = Level, required),
        /// Always 1.
        a: f64 = (constant = 1.0),
    }

    /// `std_msgs/String` of the robot's log and of what it says aloud.
    #[message(record = Text, context = Context, base = no_text(), when = is_line, ignores(channel, data, truncated))]
    Line {
        /// The line.
        data: String = (text, required),
    }
}

const BUMPER: Contact =
    Contact { contacted: false, sensor: ContactSensor::Bumper, position: None, frame: Frame::BaseLink };
// Without a position the frame says nothing; those that are stroked sit on heads.
const TOUCH: Contact = Contact { sensor: ContactSensor::Touch, frame: Frame::Head, ..BUMPER };

fn is_bumper(contact: &Contact, _: &Context) -> bool {
    contact.sensor == ContactSensor::Bumper
}

fn is_touch(contact: &Contact, _: &Context) -> bool {
    contact.sensor == ContactSensor::Touch
}

fn no_text() -> Text {
    Text { channel: TextChannel::Log, text: "".into(), data: None, truncated: None }
}

fn is_line(text: &Text, _: &Context) -> bool {
    text.channel.is_line()
}
