//! What two microphones hear: the samples alone give directions.

use std::f64::consts::FRAC_PI_2;

use latimer_world::Pose2;
use latimer_world::acoustics::{
    Ears, Kind, Resolution, SAMPLE_RATE_HZ, SPEED_OF_SOUND_MPS, Source, activity, through_walls,
};

const SPACING_M: f64 = 0.12;
const FRAME: usize = 2_000;

fn source(kind: Kind, position_m: [f64; 2]) -> Source {
    Source { id: 1, kind, position_m, level: 0.8, through_walls: 1.0, pattern_s: Vec::new() }
}

/// Left and right of a frame in which everything sounds as it will.
fn heard(sources: &[Source], head: Pose2) -> [Vec<f64>; 2] {
    let mut ears = Ears::new(SPACING_M, Resolution::Sixteen, 1);
    ears.hear(sources, head, 9.9, FRAME);
    split(&ears.hear(sources, head, 10.0, FRAME))
}

fn split(frame: &[i16]) -> [Vec<f64>; 2] {
    [0, 1].map(|ear| frame.iter().skip(ear).step_by(2).map(|it| f64::from(*it) / 32_767.0).collect())
}

fn rms(samples: &[f64]) -> f64 {
    (samples.iter().map(|it| it * it).sum::<f64>() / samples.len() as f64).sqrt()
}

/// By how many samples the left ear hears later: the peak of the correlation, between samples by a parabola.
fn lag([left, right]: &[Vec<f64>; 2]) -> f64 {
    let at = |shift: i32| -> f64 {
        let pairs = (40..left.len() - 40).map(|i| left[i] * right[(i as i32 - shift) as usize]);
        pairs.sum()
    };
    let best = (-20..=20).max_by(|a, b| at(*a).total_cmp(&at(*b))).unwrap();
    let (before, here, after) = (at(best - 1), at(best), at(best + 1));
    f64::from(best) + 0.5 * (before - after) / (before - 2.0 * here + after)
}

#[test]
fn the_delay_between_the_ears_is_that_of_the_way() {
    let head = Pose2::new(2.0, 1.0, 0.4);
    let ears = [1.0, -1.0].map(|side| head.point_out(0.0, side * SPACING_M / 2.0));
    for degrees in [-80, -45, -10, 0, 7, 30, 60, 90, 140] {
        let bearing = f64::from(degrees).to_radians();
        let at = head.point_out(1.5 * bearing.cos(), 1.5 * bearing.sin());
        let [left_m, right_m] = ears.map(|[x, y]| (at[0] - x).hypot(at[1] - y));
        let expected = (left_m - right_m) / SPEED_OF_SOUND_MPS * SAMPLE_RATE_HZ;
        for kind in [Kind::Noise, Kind::Voice] {
            let found = lag(&heard(&[source(kind, at)], head));
            assert!((found - expected).abs() < 0.5, "{kind:?} at {degrees}°: {found} instead of {expected}");
        }
    }
}

#[test]
fn the_nearer_ear_hears_more_and_both_more_of_what_is_near() {
    let head = Pose2::default();
    let [left, right] = heard(&[source(Kind::Noise, [0.0, 2.0])], head).map(|it| rms(&it));
    assert!(left > 1.3 * right, "{left} {right}");
    let [left, right] = heard(&[source(Kind::Noise, [0.0, -2.0])], head).map(|it| rms(&it));
    assert!(right > 1.3 * left, "{left} {right}");
    let [far, _] = heard(&[source(Kind::Noise, [4.0, 0.0])], head).map(|it| rms(&it));
    let [near, _] = heard(&[source(Kind::Noise, [2.0, 0.0])], head).map(|it| rms(&it));
    assert!((near / far - 2.0).abs() < 0.1, "{near} {far}");
}

#[test]
fn walls_damp() {
    let open = source(Kind::Voice, [2.0, 0.0]);
    let behind = Source { through_walls: through_walls(1), ..open.clone() };
    let [open, behind] = [open, behind].map(|it| rms(&heard(&[it], Pose2::default())[0]));
    assert!((behind / open - 0.3).abs() < 0.02, "{behind} {open}");
}

#[test]
fn silence_is_quiet_but_not_dead() {
    let [left, right] = heard(&[], Pose2::default());
    assert!(left.iter().chain(&right).all(|it| it.abs() < 0.002));
    assert!(rms(&left) > 1e-5 && left != right);
}

/// The largest step from one sample to the next.
fn steepest(samples: &[f64]) -> f64 {
    samples.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max)
}

#[test]
fn frames_join_while_the_robot_turns_and_sounds_come_and_go() {
    let tone = Source::tone(7, [1.0, 1.0], 440.0, 0.8, 1.0);
    let mut ears = Ears::new(SPACING_M, Resolution::Sixteen, 1);
    let mut left = Vec::new();
    for frame in 0..20_u32 {
        let head = Pose2::new(f64::from(frame) * 0.03, 0.0, f64::from(frame) * 0.2);
        let sources: &[Source] = if (5..15).contains(&frame) { std::slice::from_ref(&tone) } else { &[] };
        let samples = ears.hear(sources, head, f64::from(frame) * 0.1, FRAME);
        left.extend(split(&samples)[0].iter().copied());
    }
    let slope = std::f64::consts::TAU * 440.0 / SAMPLE_RATE_HZ * 0.8 * 0.6;
    let found = steepest(&left);
    assert!(found < slope * 1.05 + 0.002, "{found} is more than a tone's {slope}");
    assert!(rms(&left) > 0.05);

    let always = source(Kind::Noise, [1.0, 0.0]);
    let whole = split(&Ears::new(SPACING_M, Resolution::Sixteen, 1).hear(
        std::slice::from_ref(&always),
        Pose2::default(),
        0.0,
        4 * FRAME,
    ));
    let mut ears = Ears::new(SPACING_M, Resolution::Sixteen, 1);
    let mut pieces = Vec::new();
    for i in 0..4_u32 {
        let frame = ears.hear(std::slice::from_ref(&always), Pose2::default(), f64::from(i) * 0.1, FRAME);
        pieces.extend(split(&frame)[0].iter().copied());
    }
    let joint = pieces[2 * FRAME] - pieces[2 * FRAME - 1];
    assert!(joint.abs() <= steepest(&pieces[2 * FRAME + 1..]), "{joint}");
    assert!(rms(&whole[0]) > 0.01);
}

#[test]
fn patterns_go_on_and_off() {
    let radio = Source { pattern_s: vec![0.1, 0.1], ..source(Kind::Noise, [0.5, 0.0]) };
    let mut ears = Ears::new(SPACING_M, Resolution::Sixteen, 1);
    ears.hear(std::slice::from_ref(&radio), Pose2::default(), 0.0, FRAME);
    let off = split(&ears.hear(std::slice::from_ref(&radio), Pose2::default(), 0.11, 1_000));
    let on = split(&ears.hear(std::slice::from_ref(&radio), Pose2::default(), 0.22, 1_000));
    assert!(rms(&off[0]) < 0.002 && rms(&on[0]) > 0.05);
}

#[test]
fn ten_bits_fill_plus_and_minus_one() {
    let mut ears = Ears::new(SPACING_M, Resolution::Ten, 1);
    let loud: Vec<Source> = (0..8).map(|id| Source::tone(id, [0.1, 0.0], 300.0, 1.0, 1.0)).collect();
    let frames: Vec<i16> =
        (0..3).flat_map(|i| ears.hear(&loud, Pose2::default(), f64::from(i) * 0.1, FRAME)).collect();
    assert_eq!(frames.len(), 3 * 2 * FRAME);
    assert_eq!((frames.iter().min(), frames.iter().max()), (Some(&-512), Some(&511)));
}

#[test]
fn one_converter_samples_the_ears_in_turn() {
    let ahead = source(Kind::Noise, [1.0, 0.0]);
    for (resolution, expected) in [(Resolution::Sixteen, 0.0), (Resolution::Ten, 0.5)] {
        let mut ears = Ears::new(SPACING_M, resolution, 1);
        ears.hear(std::slice::from_ref(&ahead), Pose2::default(), 9.9, FRAME);
        let found = lag(&split(&ears.hear(std::slice::from_ref(&ahead), Pose2::default(), 10.0, FRAME)));
        assert!((found - expected).abs() < 0.1, "{resolution:?}: {found}");
    }
}

#[test]
fn the_same_again_sounds_the_same() {
    let voice = [source(Kind::Voice, [1.0, 2.0])];
    assert_eq!(heard(&voice, Pose2::default()), heard(&voice, Pose2::default()));
}

#[test]
fn hostile_sources_and_heads_are_borne() {
    for broken in [f64::NAN, f64::INFINITY, -1e300] {
        let bad = Source { level: broken, ..source(Kind::Tone { pitch_hz: broken }, [broken, 0.0]) };
        let pattern = Source { pattern_s: vec![broken, 1.0], ..source(Kind::Voice, [1.0, 0.0]) };
        let mut ears = Ears::new(broken, Resolution::Ten, 1);
        for start_s in [0.0, broken] {
            let head = Pose2::new(0.0, broken, 0.0);
            assert_eq!(ears.hear(&[bad.clone(), pattern.clone()], head, start_s, 10).len(), 20);
            ears.hear(&[bad.clone(), pattern.clone()], Pose2::default(), start_s, 10);
        }
        let sum: f64 = activity(&[bad, pattern], Pose2::default(), 1.0).noise.iter().sum();
        assert!(sum.is_finite());
    }
}

#[test]
fn activity_peaks_where_the_sound_is() {
    let head = Pose2::new(1.0, 1.0, FRAC_PI_2);
    let voice = source(Kind::Voice, [0.0, 1.0]);
    let noise = Source { id: 2, ..source(Kind::Noise, [1.0, 3.0]) };
    let found = activity(&[voice, noise], head, 5.0);
    let peak = |all: &[f64; 360]| (0..360).max_by(|a, b| all[*a].total_cmp(&all[*b])).unwrap();
    assert_eq!(peak(&found.voice), 90, "on the left");
    assert_eq!(peak(&found.noise), 0, "ahead");
    assert!((found.voice[90] - 0.8).abs() < 1e-6 && (found.noise[0] - 0.4).abs() < 1e-6);
    assert!(found.voice[270] < 1e-6);
}
