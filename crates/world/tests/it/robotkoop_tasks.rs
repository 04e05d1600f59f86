//! A household robot carries out tasks, and things are where it says that it put them.

use latimer_core::model::signal::{TaskAction, TaskState};
use latimer_core::model::{Command, JointPosition, JointTarget, Kind, Signal};
use latimer_core::{PartName, RobotId, Timestamp};
use latimer_simulator_api::{Happening, ObjectLocation, Stimulus};
use latimer_world::bodies::Demand;
use latimer_world::camera::FrameEncoder;
use latimer_world::{Behaviour, Start, Whereabouts, World, WorldFile};

use crate::robotkoop_home::{Home, ROOM, place, request};

#[test]
fn a_coke_is_brought_through_the_flat() {
    let mut home =
        Home::of(WorldFile::builtin("demo").unwrap(), Start::Spawn("living".into()), Behaviour::Stand);
    home.run(1.0).task("bring", &[("object", "coke"), ("to", "user")]).until("succeeded", 400.0);
    let published = home.published();
    assert!(
        published.starts_with("confirmed search_database:coke goto:Kitchen found:coke pick:coke goto:user"),
        "{published}"
    );
    assert!(published.ends_with("handover_completed:Anna succeeded"), "{published}");
    assert_eq!(home.at("coke"), Whereabouts::Person(0));
}

#[test]
fn a_person_between_things_is_met_from_the_near_side() {
    // Anna comes into the living room meanwhile and waits between the plant and the coffee table.
    let mut world = World::new(WorldFile::builtin("demo").unwrap(), 1).unwrap();
    for (robot, body, spawn) in [("k", "robotkoop", "kitchen"), ("axbot-1", "axbot", "workshop")] {
        let robot = RobotId::new(robot).unwrap();
        world.add_robot(robot, body, Start::Spawn(spawn.into()), Behaviour::Stand).unwrap();
    }
    let now = Timestamp::from_nanos(1_700_000_000_000_000_000);
    let mut home = Home { world, now, received: Vec::new() };
    home.run(33.8).task("bring", &[("object", "coke"), ("to", "user")]).until("succeeded", 100.0);
    assert!(!home.published().contains("way_blocked"), "{}", home.published());
}

#[test]
fn what_is_known_is_fetched_and_handed_over() {
    let mut home = Home::room();
    home.task("bring", &[("object", "coke"), ("to", "user")]).until("succeeded", 120.0);
    let expected = "confirmed search_database:coke goto:Kitchen found:coke pick:coke goto:user \
                    person_detected:Anna handover_start:Anna handover_completed:Anna succeeded";
    assert_eq!(home.published(), expected);
    assert_eq!(home.at("coke"), Whereabouts::Person(0));
    assert!(home.chat().contains(&"Here is the coke.".to_owned()), "{:?}", home.chat());
    let (_, at) = home.world.things().find(|(item, _)| item.object.name == "coke").unwrap();
    assert_eq!([at[0], at[1]], [2.5, 1.0], "where Anna is");
    assert!(home.tasks().all(|task| task.id == "T" && task.kind == "bring"));
}

#[test]
fn a_person_who_comes_into_view_is_recognised_once() {
    let mut home = Home::room();
    home.run(5.0);
    let faces: Vec<_> = home.signals(Kind::Face);
    let [Signal::Face(face)] = faces.as_slice() else { panic!("{faces:?}") };
    assert_eq!((face.label.as_deref(), face.track_id), (Some("Anna"), Some(1)));
    assert!(face.distance_m.is_some_and(|it| (it - 1.5).abs() < 0.2), "{face:?}");
    let mut stranger = Home::new(
        &format!("{ROOM}{}", crate::robotkoop_home::ANNA.replace("Anna", "Zoe")),
        1.0,
        1.0,
        Behaviour::Stand,
    );
    stranger.run(1.0);
    assert!(matches!(stranger.signals(Kind::Face)[..], [Signal::Face(face)] if face.label.is_none()));
}

#[test]
fn from_and_to_are_taken_at_their_word() {
    let mut home = Home::room();
    home.put("coke", "Sofa");
    home.task("bring", &[("object", "Coke"), ("from", "sofa"), ("to", "shelf")]).until("succeeded", 120.0);
    assert_eq!(home.published(), "confirmed goto:Sofa found:coke pick:coke goto:Shelf place:coke succeeded");
    assert_eq!(home.at("coke"), place("Shelf"));
}

#[test]
fn without_anybody_it_is_brought_to_where_the_order_was_given() {
    let mut home = Home::new(ROOM, 2.0, 2.0, Behaviour::Stand);
    home.run(0.5).task("bring", &[("object", "book")]).until("goto:user place:book succeeded", 120.0);
    let Whereabouts::Floor([x, y]) = home.at("book") else { panic!("{:?}", home.at("book")) };
    assert!((x - 2.0).hypot(y - 2.0) < 0.8, "{x} {y}");
}

#[test]
fn what_was_moved_is_found_by_searching() {
    let mut home = Home::room();
    home.put("coke", "Sofa");
    home.task("bring", &[("object", "coke")]).until("succeeded", 200.0);
    let published = home.published();
    let search = "goto:Kitchen not_found:coke position_unknown:coke search_category:soda search:coke \
                  goto:Shelf goto:Sofa found:coke pick:coke goto:user";
    assert!(published.contains(search), "{published}");
    assert_eq!(home.at("coke"), Whereabouts::Person(0));
}

#[test]
fn something_else_is_offered_and_brought_under_the_same_id() {
    let mut home = Home::room();
    home.remove("coke").task("bring", &[("object", "coke"), ("to", "user")]).until("assistance", 200.0);
    let offer = home.tasks().last().unwrap().clone();
    assert_eq!((offer.state, offer.action), (TaskState::Assistance, Some(TaskAction::SearchAlternatives)));
    let alternative = &offer.alternatives[0];
    assert_eq!((alternative.object.as_str(), alternative.location.as_str()), ("fanta", "Kitchen"));
    assert_eq!(offer.target.as_deref(), Some("coke"));
    home.run(30.0).task("bring", &[("object", "fanta"), ("to", "user")]).until("succeeded", 120.0);
    assert!(
        home.published()
            .contains("not_found:coke search_alternatives:coke assistance confirmed search_database:fanta")
    );
    assert_eq!(home.at("fanta"), Whereabouts::Person(0));
}

#[test]
fn an_offer_without_an_answer_is_given_up() {
    let mut home = Home::room();
    home.remove("coke").task("bring", &[("object", "coke")]).until("assistance", 200.0);
    home.until("assistance failed", 125.0);
}

#[test]
fn cleaning_carries_everything_home() {
    let mut home = Home::room();
    home.put("coke", "Sofa").put("book", "Sofa").task("clean", &[]).until("succeeded", 300.0);
    assert!(home.published().contains("anomaly:Sofa[coke,book]"), "{}", home.published());
    assert_eq!((home.at("coke"), home.at("book")), (place("Kitchen"), place("Shelf")));
    home.received.clear();
    home.task("clean", &[("to", "Sofa")]).until("no_anomalies_found succeeded", 60.0);
}

#[test]
fn where_a_new_thing_belongs_is_asked_and_done() {
    let mut home = Home::room();
    home.happen(put_vase(ObjectLocation::Place("sofa".to_owned()))).unwrap();
    home.task("clean", &[("to", "Sofa")]).until("anomaly:Sofa[vase] assistance", 60.0);
    let asks = home.tasks().last().unwrap().clone();
    assert_eq!((asks.action, asks.target.as_deref()), (Some(TaskAction::PositionUnknown), Some("vase")));
    assert_eq!(asks.alternatives[1].location, "Shelf");
    home.run(5.0).task("clean", &[("to", "Shelf")]).until("place:vase succeeded", 90.0);
    assert_eq!(home.at("vase"), place("Shelf"));
}

fn put_vase(at: ObjectLocation) -> Happening {
    Happening::PutObject { name: "vase".to_owned(), category: "decoration".to_owned(), at, rgb: [9, 9, 9] }
}

#[test]
fn where_a_thing_belongs_that_lost_its_home_is_asked() {
    let mut home = Home::room();
    let forget = |object: &str| Stimulus::ForgetHome { object: object.to_owned() };
    assert!(home.ask(forget("COKE")).is_ok());
    home.task("clean", &[("to", "Kitchen")]).until("anomaly:Kitchen[coke] assistance", 60.0);
    let asks = home.tasks().last().unwrap();
    assert_eq!((asks.action, asks.target.as_deref()), (Some(TaskAction::PositionUnknown), Some("coke")));
    assert_eq!(asks.alternatives[0].object, "fanta", "its like comes first");
    home.task("clean", &[("to", "Shelf")]).until("place:coke succeeded", 90.0);
    assert_eq!(home.at("coke"), place("Shelf"));
    let refused = format!("{:?}", home.ask(forget("unicorn")));
    assert!(refused.contains("it knows: coke, fanta, book"), "{refused}");
}

#[test]
fn small_things_are_put_moved_and_taken_away_by_hand() {
    let mut home = Home::room();
    let to_sofa = || ObjectLocation::Place("SOFA".to_owned());
    let shift = |name: &str| Happening::MoveObject { name: name.to_owned(), to: to_sofa() };
    let remove = |name: &str| Happening::RemoveObject { name: name.to_owned() };
    home.happen(put_vase(ObjectLocation::Floor([2.0, 2.0]))).unwrap();
    assert_eq!(home.at("vase"), Whereabouts::Floor([2.0, 2.0]));
    home.happen(shift("vase")).unwrap();
    assert_eq!(home.at("vase"), place("Sofa"));
    home.happen(remove("vase")).unwrap();
    assert_eq!(home.at("vase"), Whereabouts::Gone);
    home.task("bring", &[("object", "coke")]).until("goto:user", 60.0);
    assert_eq!(home.at("coke"), Whereabouts::Robot(0));
    home.happen(remove("coke")).unwrap();
    assert_eq!(home.at("coke"), Whereabouts::Gone, "out of its hand");
    for (wrong, reason) in [
        (put_vase(ObjectLocation::Place("attic".to_owned())), "the places are: Kitchen, Shelf, Sofa"),
        (put_vase(ObjectLocation::Floor([2.0, 9.0])), "outside the room"),
        (shift("unicorn"), "the objects are: coke, fanta, book, vase"),
        (remove("vase"), "was taken away already"),
        (
            Happening::PutObject {
                name: "book".to_owned(),
                category: "x".to_owned(),
                at: to_sofa(),
                rgb: [0; 3],
            },
            "already",
        ),
    ] {
        let refused = home.happen(wrong).unwrap_err().reason;
        assert!(refused.contains(reason), "{refused}");
    }
    home.happen(shift("coke")).unwrap();
    assert_eq!(home.at("coke"), place("Sofa"), "it is back");
}

#[test]
fn memorizing_reports_anomalies_and_stores_them() {
    let mut home = Home::room();
    home.put("coke", "Sofa").task("memorize", &[]).until("succeeded", 200.0);
    assert!(home.published().contains("anomaly:Sofa[coke]") && !home.published().contains("no_anomalies"));
    home.received.clear();
    home.task("bring", &[("object", "coke")]).until("succeeded", 120.0);
    assert!(home.published().contains("search_database:coke goto:Sofa found:coke"), "{}", home.published());
}

#[test]
fn greeting_and_going() {
    let mut home = Home::room();
    home.task("greet", &[]).until("person_detected:Anna succeeded", 60.0);
    assert_eq!(home.chat(), ["Hello, Anna!"]);
    home.received.clear();
    home.task("goto", &[("to", "sofa")]).until("confirmed goto:Sofa succeeded", 60.0);
    assert!(home.pose().distance_to(1.0, 4.0) < 0.15, "{:?}", home.pose());
    home.received.clear();
    home.task("dance", &[]).run(1.0);
    assert_eq!(home.published(), "confirmed unknown");
}

#[test]
fn what_the_arm_was_shown_it_does_again() {
    let mut home = Home::room();
    let learn = |home: &mut Home, id: &str, parameters: &[(&str, &str)]| {
        assert!(home.ask(Command::Task(request(id, "lfd", parameters))).is_ok());
        home.run(0.5);
        assert!(home.published().ends_with("confirmed succeeded"), "{id}: {}", home.published());
    };
    let wrist = |home: &mut Home, angle_rad: f64| {
        let (part, position) = (PartName::of("wrist"), JointPosition::angle(angle_rad));
        let target = JointTarget { part, position, velocity_radps: None, duration: None };
        assert!(home.ask(Command::Joints(vec![target])).is_ok());
        home.run(4.0);
    };
    learn(&mut home, "A", &[("keyword", "lerne"), ("task", "giessen")]);
    learn(&mut home, "B", &[("operation", "start")]);
    [0.4, -0.6].into_iter().for_each(|angle_rad| wrist(&mut home, angle_rad));
    learn(&mut home, "C", &[("operation", "end")]);
    learn(&mut home, "D", &[("operation", "save")]);
    wrist(&mut home, 0.0);
    home.received.clear();
    home.task("lfd", &[("task", "giessen"), ("operation", "reproduce")]).until("confirmed succeeded", 60.0);
    let angles: Vec<f64> = home
        .received
        .iter()
        .filter(|update| update.part == Some(PartName::of("wrist")))
        .filter_map(|update| match &update.signal {
            Signal::Joint(joint) => joint.position_rad,
            _ => None,
        })
        .collect();
    assert!(angles.iter().any(|it| (it - 0.4).abs() < 0.02), "{angles:?}");
    assert!((angles.last().unwrap() + 0.6).abs() < 0.02, "{angles:?}");
}

#[test]
fn what_is_missing_is_asked_for_and_added() {
    let mut home = Home::room();
    home.task("bring", &[("to", "Sofa")]).run(5.0);
    assert_eq!(home.published(), "confirmed missing_info:object");
    home.task("bring", &[("object", "book")]).until("place:book succeeded", 120.0);
    assert_eq!(home.at("book"), place("Sofa"));
}

#[test]
fn a_walled_off_place_cannot_be_reached() {
    let wall = "[[walls]]\npoints_m = [[4.0, 0.0], [4.0, 5.0]]\n";
    let mut home = Home::new(&format!("{ROOM}{wall}"), 1.0, 1.0, Behaviour::Stand);
    home.run(0.5).task("bring", &[("object", "coke")]).until("failed", 120.0);
    let expected = "confirmed search_database:coke goto:Kitchen way_blocked:Kitchen goto:Kitchen \
                    way_blocked:Kitchen failed";
    assert_eq!(home.published(), expected);
    assert!(home.tasks().last().unwrap().reason.as_ref().unwrap().contains("Kitchen"));
    assert_eq!(home.at("coke"), place("Kitchen"));
}

#[test]
fn a_person_who_blocks_the_only_door_is_waited_for_and_reported() {
    let door = "[[walls]]\npoints_m = [[4.0, 0.0], [4.0, 1.9]]\n[[walls]]\npoints_m = [[4.0, 3.1], [4.0, 5.0]]\n\
                [[people]]\nstart_m = [4.0, 2.5]\nradius_m = 0.3\n";
    let mut home = Home::new(&format!("{ROOM}{door}"), 1.0, 2.5, Behaviour::Stand);
    home.run(0.5).task("goto", &[("to", "Kitchen")]).until("way_blocked:Kitchen failed", 200.0);
    assert_eq!(
        home.published(),
        "confirmed goto:Kitchen way_blocked:Kitchen goto:Kitchen way_blocked:Kitchen failed"
    );
}

#[test]
fn the_more_urgent_task_comes_first_and_what_is_carried_is_kept() {
    let mut home = Home::room();
    home.task("bring", &[("object", "coke"), ("to", "Sofa")]).until("goto:Sofa", 90.0).run(2.0);
    let mut urgent = request("U", "bring", &[("object", "book"), ("to", "user")]);
    urgent.priority = 1;
    let mut later = request("L", "goto", &[("to", "Shelf")]);
    later.priority = 4;
    assert!(home.ask(Command::Task(later)).is_ok() && home.ask(Command::Task(urgent)).is_ok());
    home.until("goto:Shelf succeeded", 300.0);
    let published = home.published();
    let order = "confirmed confirmed pause_task:T search_database:book goto:Shelf found:book pick:book goto:user \
                 person_detected:Anna handover_start:Anna handover_completed:Anna succeeded resume_task:T \
                 place:coke succeeded goto:Shelf succeeded";
    assert!(published.ends_with(order), "{published}");
    assert_eq!((home.at("coke"), home.at("book")), (place("Sofa"), Whereabouts::Person(0)));
}

#[test]
fn a_cancelled_task_is_over_and_what_it_carried_is_kept_for_the_next() {
    let mut home = Home::room();
    home.task("bring", &[("object", "coke"), ("to", "Sofa")]).until("goto:Sofa", 90.0).run(2.0);
    assert!(home.ask(Command::CancelTask("T".into())).is_ok());
    assert!(!home.ask(Command::CancelTask("T".into())).is_ok());
    home.run(3.0);
    assert!(home.published().ends_with("goto:Sofa cancelled"), "{}", home.published());
    let at = home.pose();
    assert!(home.run(2.0).pose().distance_to(at.x_m, at.y_m) < 0.02, "it stands");
    home.received.clear();
    home.task("bring", &[("object", "coke"), ("to", "Sofa")]).until("succeeded", 60.0);
    assert_eq!(home.published(), "confirmed goto:Sofa place:coke succeeded");
}

#[test]
fn what_it_sees_and_does_is_published() {
    let mut home = Home::room();
    home.task("bring", &[("object", "coke")]).until("succeeded", 120.0);
    let seen = |label: &str| {
        home.signals(Kind::Objects).iter().any(|signal| match signal {
            Signal::Objects(objects) => objects.objects.iter().any(|it| it.label.as_deref() == Some(label)),
            _ => false,
        })
    };
    assert!(seen("coke") && seen("fanta") && seen("Anna"));
    let shoulders =
        home.received.iter().filter(|it| it.part.as_ref().is_some_and(|it| it.as_str() == "shoulder"));
    let angles = shoulders.filter_map(|it| it.signal.field("position_rad")?.as_f64());
    let (low, high) = angles.fold((9.0_f64, -9.0_f64), |(low, high), it| (low.min(it), high.max(it)));
    assert!(low < -1.0 && high > 0.5, "the arm moves: {low} {high}");
    for kind in [Kind::Navigation, Kind::Pose, Kind::Battery, Kind::Control, Kind::Localization, Kind::Device]
    {
        assert!(!home.signals(kind).is_empty(), "{kind}");
    }
}

#[test]
fn its_camera_shows_the_coke_until_it_is_taken() {
    let red = "[[objects]]\nname = \"can\"\ncategory = \"soda\"\nplace = \"Sofa\"\ncolor = \"#ff0000\"\n\
               height_m = 0.9\nsize_m = [0.3, 0.3]\n";
    let mut home = Home::new(&format!("{ROOM}{red}"), 2.0, 4.0, Behaviour::Stand);
    home.run(0.5).task("goto", &[("to", "Sofa")]).until("succeeded", 60.0);
    let mut reds = || {
        home.world.listen([Demand::EVERY_KIND.with_stream(1)]);
        home.run(0.3);
        let mut pictures = Vec::new();
        home.world.develop(&mut FrameEncoder::default(), &mut pictures);
        home.world.household_mut().move_to("can", Whereabouts::Gone).unwrap();
        let Signal::Image(image) = &pictures.last().unwrap().signal else { panic!() };
        image.data.chunks(3).filter(|it| it[0] > 90 && it[1] < 40 && it[2] < 40).count()
    };
    let (with, without) = (reds(), reds());
    assert!(with > 500 && without == 0, "{with} {without}");
}
