//! A node that sends commands to a robot, and the robot that receives them.

use std::time::Duration;

use latimer_core::Hub;
use latimer_core::hub::Source;
use latimer_core::model::{Command, Outcome};
use latimer_dialects::miro::Layouts;
use latimer_dialects::miro::topic::Topic;
use latimer_dialects::miro::types::Types;
use latimer_ros1::node::Publisher;
use latimer_simulator_api::RequestQueue;
use serde::Serialize;

use crate::miro::rig::{Gateway, Looker, in_time, play, until};

/// The robot that is served, by its name in ROS.
pub(crate) const SERVE: &str =
    "sounds = [\"hello\", \"purr\"]\n[[serve]]\nrobot = \"miro-1\"\nname = \"rob01\"\n";

/// A gateway that serves a robot, the robot, and a node beside them.
pub(crate) struct Stage {
    pub(crate) gateway: Gateway,
    pub(crate) robot: Source,
    pub(crate) node: Looker,
}

impl Stage {
    pub(crate) async fn of(hub: &Hub, family: &'static str) -> Self {
        let robot = play(hub, "miro-1", family);
        // Keys of the dialect come before its tables.
        let gateway = Gateway::start(hub, &format!("{}\n[master]\nlisten = \"127.0.0.1:0\"\n", SERVE)).await;
        let node = Looker::at(gateway.master(), "/publisher").await;
        Self { gateway, robot, node }
    }

    /// The same in a world, which the test moves.
    pub(crate) async fn in_world(hub: &Hub) -> (Self, RequestQueue) {
        let robot = play(hub, "miro-1", "miro");
        let (gateway, world) = Gateway::in_world(hub, SERVE).await;
        let node = Looker::at(gateway.master(), "/publisher").await;
        (Self { gateway, robot, node }, world)
    }

    /// A publisher that the gateway follows.
    pub(crate) async fn publisher(&self, topic: Topic) -> Publisher {
        self.publisher_in(Layouts::Maker, topic).await
    }

    pub(crate) async fn publisher_in(&self, layouts: Layouts, topic: Topic) -> Publisher {
        Self::followed(&self.node, layouts, topic).await
    }

    /// A publisher of another node, which the gateway follows.
    pub(crate) async fn followed(node: &Looker, layouts: Layouts, topic: Topic) -> Publisher {
        let layout = Types::load(layouts, None).unwrap().of(topic);
        let publisher = node.node.advertise(&topic.of("rob01"), layout, 64, false).unwrap();
        let followed = publisher.subscribers();
        until("the gateway follows", || *followed.borrow() > 0).await;
        publisher
    }

    /// The next command of a sort, answered; others are answered by the way.
    pub(crate) async fn receives(&mut self, name: &str, outcome: Outcome) -> Command {
        in_time(async {
            loop {
                let request = self.robot.next_command().await;
                let command = request.command.clone();
                let wanted = command.name() == name;
                request.answer(if wanted { outcome.clone() } else { Outcome::Accepted });
                if wanted {
                    return command;
                }
            }
        })
        .await
    }

    pub(crate) async fn stop(self) {
        self.node.stop().await;
        self.gateway.stop().await;
    }
}

/// Says something again and again, until something else is over.
pub(crate) async fn while_saying<T: Serialize, O>(
    publisher: &Publisher,
    message: &T,
    other: impl Future<Output = O>,
) -> O {
    let say = async {
        loop {
            publisher.publish(message).unwrap();
            // A client that publishes twenty times a second.
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::select! {
        () = say => unreachable!(),
        done = other => done,
    }
}
