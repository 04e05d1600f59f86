//! Every way through bringing a thing.

use super::super::script::Script;

fn coke() -> Script {
    Script::new("bring", &[("object", "coke"), ("to", "user")])
}

#[test]
fn what_is_where_it_belongs_is_fetched_and_handed_over() {
    let mut it = coke();
    it.begins("search_database:coke | think").done("goto:Kitchen | go Kitchen").done("look");
    it.saw(&["coke", "fanta"], "found:coke pick:coke | pick coke");
    it.done("goto:user | meet");
    it.met(Some("Anna"), "person_detected:Anna handover_start:Anna | put coke to somebody");
    it.done("handover_completed:Anna | success");
}

#[test]
fn a_stranger_is_unknown_and_a_user() {
    let mut it = coke();
    it.carries("coke").begins("goto:user | meet");
    it.met(None, "person_detected:unknown handover_start:user | put coke to somebody");
    it.failed("goto:user | meet")
        .met(None, "person_detected:unknown handover_start:user | put coke to somebody");
    it.failed("goto:user | meet")
        .met(None, "person_detected:unknown handover_start:user | put coke to somebody");
    it.failed("failure: it failed");
}

#[test]
fn from_and_to_are_taken_at_their_word() {
    let mut it = Script::new("bring", &[("object", "Coke"), ("from", "sofa"), ("to", "shelf")]);
    it.begins("goto:Sofa | go Sofa").done("look").saw(&["coke"], "found:coke pick:coke | pick coke");
    it.done("goto:Shelf | go Shelf").done("place:coke | put coke at Shelf").done("success");
    assert_eq!(it.memory.place_of("coke"), Some("Shelf"));
}

#[test]
fn what_is_not_there_is_searched_where_its_like_belongs_then_nearby() {
    let mut it = Script::new("bring", &[("object", "coke"), ("from", "Sofa")]);
    it.begins("goto:Sofa | go Sofa").done("look");
    it.saw(&[], "not_found:coke position_unknown:coke search_category:soda | think");
    it.done("search:coke goto:Kitchen | go Kitchen").done("look").saw(&["fanta"], "goto:Shelf | go Shelf");
    it.done("look").saw(&["coke"], "found:coke pick:coke | pick coke");
}

#[test]
fn a_place_that_cannot_be_reached_is_left_out_of_a_search() {
    let mut it = Script::new("bring", &[("object", "unicorn")]);
    it.begins("search_database:unicorn | think").done("position_unknown:unicorn | think");
    it.done("search:unicorn goto:Sofa | go Sofa").failed("way_blocked:Sofa | think");
    it.done("goto:Sofa | go Sofa").failed("way_blocked:Sofa goto:Shelf | go Shelf");
    it.done("look").failed("goto:Kitchen | go Kitchen").done("look");
    it.saw(&[], "not_found:unicorn search_alternatives:unicorn | think");
    it.done("failure: the unicorn was not found, nor anything like it");
}

#[test]
fn something_else_is_offered_and_brought() {
    let mut it = coke();
    it.begins("search_database:coke | think").done("goto:Kitchen | go Kitchen").done("look");
    it.saw(&["fanta"], "not_found:coke position_unknown:coke search_category:soda | think");
    it.done("search:coke goto:Sofa | go Sofa").done("look").saw(&[], "goto:Shelf | go Shelf").done("look");
    it.saw(&["book"], "not_found:coke search_alternatives:coke | think");
    it.done("assistance search_alternatives:coke [fanta at Kitchen] | ask");
    it.answers(&[("object", "fanta"), ("to", "user")], "search_database:fanta | think");
    it.done("goto:Kitchen | go Kitchen");
}

#[test]
fn an_offer_that_is_not_taken_is_given_up() {
    let mut it = coke();
    it.begins("search_database:coke | think").done("goto:Kitchen | go Kitchen").done("look");
    it.saw(&["fanta"], "not_found:coke position_unknown:coke search_category:soda | think");
    it.done("search:coke goto:Sofa | go Sofa").done("look").saw(&[], "goto:Shelf | go Shelf").done("look");
    it.saw(&[], "not_found:coke search_alternatives:coke | think");
    it.done("assistance search_alternatives:coke [fanta at Kitchen] | ask");
    it.silence("failure: nobody chose something else");
}

#[test]
fn a_blocked_way_is_tried_twice() {
    let mut it = coke();
    it.begins("search_database:coke | think").done("goto:Kitchen | go Kitchen");
    it.failed("way_blocked:Kitchen | think").done("goto:Kitchen | go Kitchen");
    it.failed("way_blocked:Kitchen | failure: the way to Kitchen is blocked: it failed");
}

#[test]
fn blind_or_without_a_grip_it_gives_up() {
    let mut it = coke();
    it.begins("search_database:coke | think").done("goto:Kitchen | go Kitchen").done("look");
    it.failed("not_found:coke | failure: it failed");
    let mut it = coke();
    it.begins("search_database:coke | think").done("goto:Kitchen | go Kitchen").done("look");
    it.saw(&["coke"], "found:coke pick:coke | pick coke").failed("failure: it failed");
}

#[test]
fn without_a_receiver_the_task_fails() {
    let mut it = coke();
    it.carries("coke")
        .begins("goto:user | meet")
        .silence("not_found:user | failure: nobody is there to take it");
    let mut it = coke();
    it.carries("coke").begins("goto:user | meet").done("place:coke | put coke to somebody").done("success");
    let mut it = Script::new("bring", &[("object", "coke"), ("to", "Sofa")]);
    it.carries("coke").begins("goto:Sofa | go Sofa").failed("way_blocked:Sofa | think");
    it.done("goto:Sofa | go Sofa").done("place:coke | put coke at Sofa").failed("failure: it failed");
    let mut it = coke();
    it.carries("coke").begins("goto:user | meet").failed("way_blocked:user | think").done("goto:user | meet");
    it.failed("way_blocked:user | failure: the way to user is blocked: it failed");
}
