//! What an address means. A slash at its end means nothing.

/// A file of a map or a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum File {
    /// The picture, `5.png`.
    Image,
    /// A small picture.
    Thumbnail,
    /// The scanner's own map, `5.pbstream`.
    Pbstream,
    /// Everything, as JSON.
    Download,
    /// What else belongs to a mapping.
    Properties,
    /// The way that a mapping took.
    Trajectories,
    /// The poles that a mapping saw.
    Landmarks,
}

/// One of the documents of `/system/settings`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settings {
    /// What can be set.
    Schema,
    /// The values that hold until others are set.
    Default,
    /// The values that were set.
    User,
    /// The values that hold.
    Effective,
}

/// Files that a robot keeps of its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folder {
    /// What it recorded.
    Bags,
    /// What it recorded when something was wrong.
    Recording,
    /// Videos.
    Videos,
    /// What is left of programs that crashed.
    CoreDumps,
    /// Poles that were collected beside a map.
    CollectedData,
}

impl Folder {
    /// Each with its address, and what one of its files is called.
    pub const ALL: [(&'static str, Self, &'static str); 5] = [
        ("bags", Self::Bags, "bag"),
        ("recording", Self::Recording, "recording"),
        ("videos", Self::Videos, "video"),
        ("core_dumps", Self::CoreDumps, "core dump"),
        ("collected_data", Self::CollectedData, "collected file"),
    ];

    fn of(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, ..)| *known == word).map(|(_, folder, _)| *folder)
    }
}

/// What the clock goes by, and whom it tells the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chrony {
    /// The servers that it goes by.
    Sources,
    /// Whom it tells the time.
    Allows,
}

/// Something that can be asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resource {
    /// `/device/info`
    DeviceInfo,
    /// `/device/info/brief`
    DeviceBrief,
    /// `/device/status`
    DeviceStatus,
    /// `/device/boot_progress`
    BootProgress,
    /// `/device/sensors`
    Sensors,
    /// `/device/wifi_info`
    WifiInfo,
    /// `/device/available_wifis`
    Wifis,
    /// `/wifi_setup`
    WifiPage,
    /// `/device/usb_devices`
    UsbDevices,
    /// `/device/usb_devices/saved`
    SavedUsbDevices,
    /// `/device/chrony/chrony.conf`
    ChronyConfig,
    /// `/device/chrony/…`
    Chrony(Chrony),
    /// `/hostnames`
    Hostnames,
    /// `/hostnames/local.autoxing.com`
    Hostname(String),
    /// `/bags` and the like
    Folder(Folder),
    /// `/bags/NAME` and what is below
    FolderFile(Folder, String),
    /// `/app_store/packages`
    Packages,
    /// `/app_store/services/download_packages`, `…/install_packages`
    GetPackages,
    /// `/app_store/jobs/download/tasks`, `…/install/tasks`
    PackageTasks,
    /// `/app_store/jobs/download/tasks/5/log`
    PackageTaskLog(i64),
    /// `/chassis/status`
    ChassisStatus,
    /// `/chassis/pose`
    Pose,
    /// `/chassis/current-map`
    CurrentMap,
    /// `/chassis/moves`
    Moves,
    /// `/chassis/moves/current`
    CurrentMove,
    /// `/chassis/moves/5`
    Move(i64),
    /// `/maps`
    Maps,
    /// `/maps/5`
    Map(i64),
    /// `/maps/5.png`
    MapFile(i64, File),
    /// `/mappings`
    Mappings,
    /// `/mappings/current`
    CurrentMapping,
    /// `/mappings/5`
    Mapping(i64),
    /// `/mappings/5.png`
    MappingFile(i64, File),
    /// `/robot-params`
    Params,
    /// `/robot-params/default`
    DefaultParams,
    /// `/system/settings/…`
    Settings(Settings),
    /// `/services/…`
    Service(String),
    /// `/static-files/…`
    Static(String),
}

/// What is there, for the other modules.
pub const PLACES: &str = "/device/info, /device/info/brief, /device/status, /device/boot_progress, /device/sensors, \
                          /chassis/status, /chassis/pose, /chassis/current-map, /chassis/moves, /maps, /mappings, \
                          /robot-params, /robot-params/default, /system/settings/NAME, /services/NAME, /static-files/NAME, \
                          /device/wifi_info, /device/available_wifis, /device/usb_devices, /device/chrony/NAME, /hostnames, \
                          /app_store/NAME, /bags, /recording, /videos, /core_dumps, /collected_data, and topics at /ws/v2/topics";

impl Resource {
    /// What a path means, with or without slashes at its ends.
    pub fn of(path: &str) -> Option<Self> {
        let segments: Vec<&str> = path.trim_matches('/').split('/').collect();
        let place = match *segments.as_slice() {
            ["device", "info"] => Self::DeviceInfo,
            ["device", "info", "brief"] => Self::DeviceBrief,
            ["device", "status"] => Self::DeviceStatus,
            ["device", "boot_progress"] => Self::BootProgress,
            ["device", "sensors"] => Self::Sensors,
            ["device", "wifi_info"] => Self::WifiInfo,
            ["device", "available_wifis"] => Self::Wifis,
            ["wifi_setup"] => Self::WifiPage,
            ["device", "usb_devices"] => Self::UsbDevices,
            ["device", "usb_devices", "saved"] => Self::SavedUsbDevices,
            ["device", "chrony", "chrony.conf"] => Self::ChronyConfig,
            ["device", "chrony", "sources"] => Self::Chrony(Chrony::Sources),
            ["device", "chrony", "allows"] => Self::Chrony(Chrony::Allows),
            ["hostnames"] => Self::Hostnames,
            ["hostnames", name] => Self::Hostname(name.to_owned()),
            ["app_store", "packages"] => Self::Packages,
            ["app_store", "services", "download_packages" | "install_packages"] => Self::GetPackages,
            ["app_store", "jobs", "download" | "install", "tasks"] => Self::PackageTasks,
            ["app_store", "jobs", "download" | "install", "tasks", id, "log"] => {
                Self::PackageTaskLog(number(id)?)
            }
            ["chassis", "status"] => Self::ChassisStatus,
            ["chassis", "pose"] => Self::Pose,
            ["chassis", "current-map"] => Self::CurrentMap,
            ["chassis", "moves"] => Self::Moves,
            ["chassis", "moves", "current"] => Self::CurrentMove,
            ["chassis", "moves", id] => Self::Move(number(id)?),
            ["maps"] => Self::Maps,
            ["maps", name] => match file(name) {
                Some((id, file)) => Self::MapFile(id, file),
                None => Self::Map(number(name)?),
            },
            ["maps", id, "thumbnail"] => Self::MapFile(number(id)?, File::Thumbnail),
            ["maps", id, "download"] => Self::MapFile(number(id)?, File::Download),
            ["mappings"] => Self::Mappings,
            ["mappings", "current"] => Self::CurrentMapping,
            ["mappings", name] => match file(name) {
                Some((id, file)) => Self::MappingFile(id, file),
                None => Self::Mapping(number(name)?),
            },
            ["mappings", id, "thumbnail"] => Self::MappingFile(number(id)?, File::Thumbnail),
            ["mappings", id, "download"] => Self::MappingFile(number(id)?, File::Download),
            ["mappings", id, "properties.json"] => Self::MappingFile(number(id)?, File::Properties),
            ["mappings", id, "trajectories.json"] => Self::MappingFile(number(id)?, File::Trajectories),
            ["mappings", id, "landmarks.json"] => Self::MappingFile(number(id)?, File::Landmarks),
            ["robot-params"] => Self::Params,
            ["robot-params", "default"] => Self::DefaultParams,
            ["system", "settings", "schema"] => Self::Settings(Settings::Schema),
            ["system", "settings", "default"] => Self::Settings(Settings::Default),
            ["system", "settings", "user"] => Self::Settings(Settings::User),
            ["system", "settings", "effective"] => Self::Settings(Settings::Effective),
            ["services", ref name @ ..] if !name.is_empty() => Self::Service(name.join("/")),
            ["static-files", ref name @ ..] if !name.is_empty() => Self::Static(name.join("/")),
            [folder] => Self::Folder(Folder::of(folder)?),
            [folder, name] | [folder, name, "player" | "download"] => {
                Self::FolderFile(Folder::of(folder)?, name.to_owned())
            }
            _ => return None,
        };
        Some(place)
    }

    /// The methods that it takes.
    pub fn methods(&self) -> &'static [&'static str] {
        match self {
            Self::Pose | Self::Moves => &["GET", "POST"],
            Self::Params | Self::Settings(Settings::User) => &["GET", "POST", "PATCH"],
            Self::CurrentMap | Self::Maps | Self::Mappings => &["GET", "POST", "DELETE"],
            Self::CurrentMove | Self::Move(_) | Self::CurrentMapping => &["GET", "PATCH"],
            Self::Map(_) => &["GET", "PATCH", "PUT", "DELETE"],
            Self::Mapping(_) => &["GET", "PATCH", "DELETE"],
            Self::ChassisStatus => &["GET", "PATCH"],
            Self::SavedUsbDevices | Self::Chrony(_) => &["GET", "PUT", "DELETE"],
            Self::Hostname(_) => &["GET", "PATCH", "DELETE"],
            Self::Folder(_) | Self::FolderFile(..) => &["GET", "DELETE"],
            Self::GetPackages => &["POST"],
            Self::PackageTaskLog(_) => &["GET", "POST"],
            Self::Service(name) if name == "step_time" || name == "get_nav_thumbnail" => &["GET", "POST"],
            Self::Service(name) if name == "query_pose/charger_pose" => &["GET"],
            Self::Service(_) => &["POST"],
            _ => &["GET"],
        }
    }

    /// Whether what is sent there is a list.
    pub fn takes_lists(&self) -> bool {
        matches!(self, Self::SavedUsbDevices | Self::Chrony(_))
    }

    /// Whether what is sent there may be a whole map.
    pub fn takes_maps(&self) -> bool {
        matches!(self, Self::Maps | Self::Map(_) | Self::CurrentMap)
    }
}

fn number(id: &str) -> Option<i64> {
    id.parse().ok()
}

fn file(name: &str) -> Option<(i64, File)> {
    let (id, ending) = name.split_once('.')?;
    let file = match ending {
        "png" => File::Image,
        "pbstream" => File::Pbstream,
        _ => return None,
    };
    Some((number(id)?, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_at_the_ends_mean_nothing() {
        for path in ["maps", "/maps", "maps/", "/maps/"] {
            assert_eq!(Resource::of(path), Some(Resource::Maps), "{path}");
        }
        assert_eq!(Resource::of("/chassis/moves/current/"), Some(Resource::CurrentMove));
    }

    #[test]
    fn what_is_nowhere_is_nothing() {
        for path in ["", "/", "nonsense", "maps/x", "maps/1.jpg", "maps/1/2/3", "services", "chassis"] {
            assert_eq!(Resource::of(path), None, "{path}");
        }
    }

    #[test]
    fn files_have_endings_or_names() {
        assert_eq!(Resource::of("maps/7.png"), Some(Resource::MapFile(7, File::Image)));
        assert_eq!(Resource::of("maps/7/thumbnail"), Some(Resource::MapFile(7, File::Thumbnail)));
        assert_eq!(
            Resource::of("mappings/7/landmarks.json"),
            Some(Resource::MappingFile(7, File::Landmarks))
        );
        let service = Resource::Service("imu/recalibrate".into());
        assert_eq!(Resource::of("services/imu/recalibrate/"), Some(service));
    }
}
