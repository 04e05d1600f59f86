//! The two eyes, each with its pixels and its files; each of the four is followed and made on its own. A
//! subscriber of an eye's camera info alone receives one for each picture.
//!
//! A robot of another family is seen with the camera of the eye's role, or else with the one that looks ahead: by both eyes, if it has
//! but one. Of a robot that declares no cameras each eye keeps to the first that publishes.

use latimer_core::Timestamp;
use latimer_core::hub::{Selection, Shared, Sink, Subscription, SubscriptionId};
use latimer_core::model::profile::Lens;
use latimer_core::model::{Kind, PartName, RobotProfile, Signal};
use latimer_ros1::msgs::std_msgs::Header;
use latimer_ros1::node::{NodeError, Publisher};

use super::{has_followers, is_stale};
use crate::miro::facade::member::Member;
use crate::miro::facade::time::Both;
use crate::miro::limits::CAMERA_SILENCE_TIMEOUT;
use crate::miro::map::{
    EYES, Eye, PictureError, file_from_pixels, info_from_lens, pixels_from_file, wire_from_compressed,
    wire_from_image,
};
use crate::miro::topic::Topic;

/// Pictures that may wait for a subscriber.
const QUEUE: usize = 2;

/// Topics, the eye, and the topic of its camera info.
const FORMS: [(Topic, Kind, Eye, Option<Topic>); 4] = {
    let [left, right] = EYES;
    [
        (Topic::CamL, Kind::Image, left, Some(Topic::CamLInfo)),
        (Topic::CamR, Kind::Image, right, Some(Topic::CamRInfo)),
        (Topic::CamLCompressed, Kind::CompressedImage, left, None),
        (Topic::CamRCompressed, Kind::CompressedImage, right, None),
    ]
};

/// One eye in one form.
struct CameraTopic {
    topic: Topic,
    publisher: Publisher,
    /// How each picture was seen, beside it.
    info: Option<Publisher>,
    lens: Option<Lens>,
    kind: Kind,
    eye: Eye,
    /// The camera that is seen with, once it is known.
    camera: Option<PartName>,
    /// What is followed for it: its own form, and the other one.
    follows: [Option<SubscriptionId>; 2],
    /// When it was asked for.
    since: Timestamp,
    /// When it was last seen in its own form, or asked for.
    seen: Both,
    warned: bool,
}

/// The publishers of both eyes.
pub(super) struct Eyes(Vec<CameraTopic>);

impl Eyes {
    pub(super) fn advertise(member: &Member) -> Result<Self, NodeError> {
        let form = |(topic, kind, eye, info): (_, _, _, Option<Topic>)| {
            let publisher = member.advertise(topic, QUEUE)?;
            Ok(CameraTopic {
                topic,
                publisher,
                info: info.map(|info| member.advertise(info, QUEUE)).transpose()?,
                lens: None,
                kind,
                eye,
                camera: None,
                follows: [None; 2],
                since: Timestamp::default(),
                seen: Both::default(),
                warned: false,
            })
        };
        FORMS.into_iter().map(form).collect::<Result<_, _>>().map(Self)
    }

    pub(super) fn publishers(&self) -> impl Iterator<Item = &Publisher> {
        self.0.iter().flat_map(CameraTopic::publishers)
    }

    /// The forms of the eyes of a robot that has no camera.
    pub(super) fn absent(&self, member: &Member) -> impl Iterator<Item = (Topic, &Publisher)> {
        let sees = |kind| member.hub.offers(&member.robot, kind, None);
        let is_blind = !sees(Kind::Image) && !sees(Kind::CompressedImage);
        self.0.iter().filter(move |_| is_blind).map(|form| (form.topic, &form.publisher))
    }

    /// Follows of the robot what is followed here.
    pub(super) fn follow(&mut self, member: &Member, sink: &Sink) {
        let now = member.hub.clock().now();
        for form in &mut self.0 {
            let followed = form.publishers().any(has_followers);
            if followed && form.follows[0].is_none() {
                form.look(&member.hub.profile(&member.robot));
                form.follows[0] = form.subscribe(sink, member, form.kind);
                (form.since, form.seen) = (now, member.time.both());
            } else if !followed {
                form.leave(sink);
            }
        }
    }

    /// Looks how the robot sees, and asks for the other form of what does not come.
    pub(super) fn look(&mut self, member: &Member, sink: &Sink) {
        let profile = member.hub.profile(&member.robot);
        for form in &mut self.0 {
            if form.look(&profile) {
                form.leave(sink);
            }
        }
        self.follow(member, sink);
        for form in &mut self.0 {
            let waits = form.follows[0].is_some() && form.follows[1].is_none();
            if waits && member.time.since(form.seen) >= CAMERA_SILENCE_TIMEOUT {
                form.follows[1] = form.subscribe(sink, member, form.other());
            }
        }
    }

    /// The sink is another one.
    pub(super) fn forget(&mut self) {
        self.0.iter_mut().for_each(|form| form.follows = [None; 2]);
    }

    pub(super) fn publish(&mut self, member: &Member, id: SubscriptionId, update: &Shared) {
        let Some(form) = self.0.iter_mut().find(|form| form.follows.contains(&Some(id))) else { return };
        if member.doings.borrow().no_cams {
            return;
        }
        let Some(part) = &update.part else { return };
        if form.camera.get_or_insert_with(|| part.clone()) != part || is_stale(update.received, form.since) {
            return;
        }
        if update.kind() == form.kind {
            form.seen = member.time.both();
        } else if member.time.since(form.seen) < CAMERA_SILENCE_TIMEOUT {
            return;
        }
        let header = member.time.moment_of(update.stamp.at).header(form.eye.optical);
        match form.say(&update.signal, header) {
            Ok(()) => form.warned = false,
            Err(error) if !form.warned => {
                form.warned = true;
                tracing::warn!(robot = %member.robot, %part, %error, "a picture cannot be shown");
            }
            Err(_) => {}
        }
    }
}

impl CameraTopic {
    const fn other(&self) -> Kind {
        match self.kind {
            Kind::Image => Kind::CompressedImage,
            _ => Kind::Image,
        }
    }

    fn leave(&mut self, sink: &Sink) {
        for id in self.follows.iter_mut().filter_map(Option::take) {
            sink.unsubscribe(id);
        }
    }

    /// Looks how the eye is made; whether it sees with another camera from now on.
    fn look(&mut self, profile: &RobotProfile) -> bool {
        let declared = self.eye.camera(profile);
        self.lens = declared.and_then(|it| it.lens);
        let camera = declared.map(|it| it.part.clone());
        if camera.is_none() || camera == self.camera {
            return false;
        }
        self.camera = camera;
        true
    }

    /// Follows the camera, or any of a robot that declares none; nothing of one that has none that looks ahead.
    fn subscribe(&self, sink: &Sink, member: &Member, kind: Kind) -> Option<SubscriptionId> {
        let robot = &member.robot;
        let selection = match &self.camera {
            Some(camera) => format!("{robot}/{kind}/{camera}").parse().ok()?,
            None if member.hub.profile(robot).cameras.is_empty() => Selection::of_kinds(robot, &[kind]),
            None => return None,
        };
        Some(sink.subscribe(Subscription::to(selection)))
    }

    fn publishers(&self) -> impl Iterator<Item = &Publisher> {
        [&self.publisher].into_iter().chain(&self.info)
    }

    fn say(&self, picture: &Signal, header: Header) -> Result<(), PictureError> {
        self.tell_how(picture, &header)?;
        if !has_followers(&self.publisher) {
            return Ok(());
        }
        let said = match (self.kind, picture) {
            (Kind::Image, Signal::Image(image)) => self.publisher.publish(&wire_from_image(image, header)?),
            (Kind::Image, Signal::CompressedImage(file)) => {
                self.publisher.publish(&wire_from_image(&pixels_from_file(file)?, header)?)
            }
            (_, Signal::CompressedImage(file)) => self.publisher.publish(&wire_from_compressed(file, header)),
            (_, Signal::Image(image)) => {
                self.publisher.publish(&wire_from_compressed(&file_from_pixels(image)?, header))
            }
            _ => return Ok(()),
        };
        said.map_err(|error| PictureError::new(error.to_string()))
    }

    /// Tells how a picture was seen, of the same moment.
    fn tell_how(&self, picture: &Signal, header: &Header) -> Result<(), PictureError> {
        let Some(info) = self.info.as_ref().filter(|info| has_followers(info)) else { return Ok(()) };
        let size_px = match picture {
            Signal::Image(image) => [image.width, image.height],
            Signal::CompressedImage(file) => [file.width, file.height],
            _ => return Ok(()),
        };
        let published = info.publish(&info_from_lens(self.lens.as_ref(), size_px, header.clone()));
        published.map_err(|error| PictureError::new(error.to_string()))
    }
}
