//! The table of sensors, and names of sensors that are not in it.

use latimer_core::PartName;

use crate::misty::map::names::*;

const FAMILIES: [Family; 5] = [Family::Joint, Family::Bumper, Family::Touch, Family::Range, Family::Edge];

#[test]
fn every_part_comes_back_from_what_a_message_of_either_version_gives() {
    for family in FAMILIES {
        for sensor in family.sensors() {
            let part = PartName::of(sensor.part);
            let names = names_from_part(family, Some(&part));
            let given = Given {
                sensor_id: Some(names.sensor_id),
                sensor_name: Some(&names.sensor_name),
                sensor_position: Some(&names.sensor_position),
            };
            assert_eq!(part_from_names(family, given), Some(part.clone()));
            let current = Given { sensor_name: None, ..given };
            assert_eq!(part_from_names(family, current), Some(part.clone()));
            let named = Given { sensor_name: given.sensor_name, ..Given::default() };
            assert_eq!(part_from_names(family, named), Some(part));
        }
    }
}

#[test]
fn a_part_that_misty_lacks_is_not_lost() {
    for family in FAMILIES {
        let part = PartName::of("sonar_left");
        let names = names_from_part(family, Some(&part));
        assert_eq!((names.sensor_id, &*names.sensor_name), ("sonar_left", "SonarLeft"));
        let given = Given { sensor_id: Some(names.sensor_id), ..Given::default() };
        assert_eq!(part_from_names(family, given), Some(part));
        let names = names_from_part(family, None);
        let given = Given { sensor_id: Some(names.sensor_id), ..Given::default() };
        assert_eq!(part_from_names(family, given), None);
    }
}

#[test]
fn a_sensor_that_nobody_knows_becomes_a_part() {
    let given = Given { sensor_id: Some("cap"), sensor_position: Some("LeftEar"), ..Given::default() };
    assert_eq!(part_from_names(Family::Touch, given), Some(PartName::of("left_ear")));
    assert_eq!(part_from_names(Family::Touch, Given::default()), None);
    assert_eq!(part_from_names(Family::Range, Given { sensor_id: Some(""), ..Given::default() }), None);
}
