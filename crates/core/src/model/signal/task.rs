//! Tasks: something that a robot was asked to do and reports on until it is done.

use crate::model::record::{record, words};

words! {
    /// What a report says of its task.
    pub enum TaskState {
        /// It was taken.
        Confirmed = "confirmed",
        /// Something has to be known first.
        MissingInfo = "missing_info",
        /// The robot cannot do such a thing.
        Unknown = "unknown",
        /// It goes on.
        Progress = "progress",
        /// A person has to choose.
        Assistance = "assistance",
        /// Something unexpected was found.
        Anomaly = "anomaly",
        /// It is done.
        Succeeded = "succeeded",
        /// It was given up.
        Failed = "failed",
        /// It was called off.
        Cancelled = "cancelled",
    }
}

words! {
    /// What the robot does for a task.
    pub enum TaskAction {
        /// It saw somebody.
        PersonDetected = "person_detected",
        /// It drives to a place.
        Goto = "goto",
        /// It found a thing.
        Found = "found",
        /// It looks a thing up.
        SearchDatabase = "search_database",
        /// It does not know where the thing is.
        PositionUnknown = "position_unknown",
        /// It looks up what is of the same kind.
        SearchCategory = "search_category",
        /// It looks for a thing around it.
        Search = "search",
        /// It did not find it.
        NotFound = "not_found",
        /// It looks for something instead.
        SearchAlternatives = "search_alternatives",
        /// It takes a thing.
        Pick = "pick",
        /// It puts a thing down.
        Place = "place",
        /// It begins to hand a thing over.
        HandoverStart = "handover_start",
        /// It handed it over.
        HandoverCompleted = "handover_completed",
        /// It cannot get to a place.
        WayBlocked = "way_blocked",
        /// Everything is where it belongs.
        NoAnomaliesFound = "no_anomalies_found",
        /// It does something else first.
        PauseTask = "pause_task",
        /// It goes on with the task.
        ResumeTask = "resume_task",
    }
}

record! {
    /// Something to choose instead.
    pub struct Alternative {
        /// Which thing.
        pub object: String,
        /// Where it is.
        pub location: String,
        /// Where it should be.
        pub known_location: Option<String>,
    }
}

record! {
    /// A report on a task.
    pub struct Task {
        /// The task's name, given by its asker.
        pub id: String,
        /// What was asked for, e.g. `bring`.
        pub kind: String,
        /// What the report says.
        pub state: TaskState,
        /// What the robot does, while it goes on.
        pub action: Option<TaskAction>,
        /// What it does that to: a place, a thing, a person.
        pub target: Option<String>,
        /// Which parameters are missing.
        pub missing: Vec<String>,
        /// What a person may choose.
        pub alternatives: Vec<Alternative>,
        /// Where something unexpected is.
        pub location: Option<String>,
        /// What is unexpected there.
        pub objects: Vec<String>,
        /// Why, for a person to read.
        pub reason: Option<String>,
    }
}

impl Task {
    /// A report that has only a state.
    pub fn new(id: impl Into<String>, kind: impl Into<String>, state: TaskState) -> Self {
        Self {
            id: id.into(),
            kind: kind.into(),
            state,
            action: None,
            target: None,
            missing: Vec::new(),
            alternatives: Vec::new(),
            location: None,
            objects: Vec::new(),
            reason: None,
        }
    }
}
