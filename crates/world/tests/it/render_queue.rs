//! The queue in which pictures are made beside the world.

use std::time::Duration;

use latimer_core::model::PartName;
use latimer_core::{RobotId, Timestamp};
use latimer_world::camera::{Frame, FrameEncoder, Lens, RenderQueue, Shot, Wants};

use crate::camera::{RED, lens, scene, slab};

pub(crate) fn shot(robot: &str, step: i64, wants: Wants) -> Shot {
    let yaw_rad = step as f64 * 0.01;
    Shot {
        robot: RobotId::new(robot).unwrap(),
        part: PartName::of("camera"),
        stamp: Timestamp::from_nanos(step * 66_000_000),
        scene: scene(vec![slab(4.0, [2.0, 4.0], [0.0, 1.0], RED)]),
        lens: Lens { yaw_rad, ..lens() },
        wants,
        fps: 15.0,
        boxes_px: Vec::new(),
    }
}

pub(crate) const ALL: Wants = Wants { raw: true, jpeg: true, video: true };

fn wait_for(render_queue: &RenderQueue, count: usize) -> Vec<Frame> {
    let mut frames = Vec::new();
    for _ in 0..2_000 {
        frames.extend(render_queue.rendered());
        if frames.len() >= count {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    frames
}

#[test]
fn the_same_shots_make_the_same_frames() {
    let develop = || {
        let mut frame_encoder = FrameEncoder::default();
        (0..5).map(|step| frame_encoder.develop(&shot("a", step, ALL)).unwrap()).collect::<Vec<Frame>>()
    };
    let frames = develop();
    assert_eq!(frames, develop());
    assert_eq!(frames.iter().map(|it| it.sequence).collect::<Vec<u64>>(), [0, 1, 2, 3, 4]);
    let only_jpeg =
        FrameEncoder::default().develop(&shot("a", 0, Wants { jpeg: true, ..Wants::default() })).unwrap();
    assert!(only_jpeg.picture.is_none() && only_jpeg.jpeg.is_some() && only_jpeg.video.is_none());
    let render_queue = RenderQueue::new().unwrap();
    render_queue.submit(shot("a", 0, ALL));
    assert_eq!(wait_for(&render_queue, 1), frames[..1]);
}

#[test]
fn the_newest_shot_of_a_camera_wins_and_the_others_are_counted() {
    let render_queue = RenderQueue::new().unwrap();
    let raw = Wants { raw: true, ..Wants::default() };
    for step in 0..50 {
        render_queue.submit(shot("a", step, raw));
    }
    render_queue.submit(shot("b", 99, raw));
    let mut frames = Vec::new();
    while !frames.iter().any(|frame: &Frame| frame.robot.as_str() == "b") {
        frames.extend(wait_for(&render_queue, 1));
    }
    let of_a: Vec<i64> = frames
        .iter()
        .filter(|it| it.robot.as_str() == "a")
        .map(|it| it.stamp.as_nanos() / 66_000_000)
        .collect();
    assert_eq!(of_a.last(), Some(&49));
    assert_eq!(of_a.len() as u64 + render_queue.replaced(), 50);
    assert_eq!(render_queue.lost(), 0);
}

#[test]
fn a_waiting_thread_is_unparked_by_a_picture() {
    let render_queue = RenderQueue::new().unwrap();
    render_queue.wakes(std::thread::current());
    render_queue.submit(shot("a", 0, ALL));
    while render_queue.rendered().is_empty() {
        // Without being woken this never ends.
        std::thread::park();
    }
}

#[test]
fn a_render_queue_ends_with_work_left() {
    let render_queue = RenderQueue::new().unwrap();
    for robot in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        render_queue.submit(shot(robot, 0, ALL));
    }
    let clock = latimer_core::Clock::system();
    let began = clock.now();
    drop(render_queue);
    assert!(clock.now().since(began) < Duration::from_secs(1));
}
