// The gateway's JSON, version 1, as far as the page reads it. `/api/v1/openapi.json` documents all of it.

export interface Stamp {
  at: string
  clock: 'robot' | 'gateway'
}

export interface Message {
  dialect: string
  topic: string
  payload?: unknown
  payload_base64?: string
}

export type Data = Record<string, unknown>

/** From what the gateway derived a value. */
export interface Provenance {
  /** Keys, separated by commas. */
  from: string
  how: string
}

export interface Update {
  type: 'update'
  key: string
  robot: string
  kind: string
  part: string | null
  class: 'state' | 'event' | 'bulk' | 'stream'
  sequence: number
  stamp: Stamp
  received: string
  /** Not there if the robot published it. */
  provenance?: Provenance
  /** The frame of its coordinates, such as `axbot-1/map`; not there if it has none or they are in several. */
  frame?: string
  data?: Data
  message?: Message
  messages?: Message[]
  native?: Message
}

export interface Gap {
  type: 'gap'
  robot: string
  kind: string | null
  lost: number | null
  reason: string
  detail: string
  from: string
  to: string
}

export interface End {
  type: 'end'
  reason: string
  detail: string
}

export type Frame = Update | Gap | End
export type StreamMessage = Frame | { type: 'batch'; frames: Frame[] }

export interface Link {
  state: 'connecting' | 'up' | 'down'
  since: string
  reconnects: number
  skew_min_s: number | null
  skew_max_s: number | null
  reason: string | null
}

export interface Endpoint {
  robot: string | null
  dialect: string
  url: string
  try_line: string
}

export interface Author {
  dialect: string
  name: string
}

export interface Robot {
  robot: string
  family: string
  origin: 'simulated' | 'connected'
  address: string | null
  link: Link
  /** Who drives it, or drove it last. */
  driver: Author | null
  /** Whether that client drives it now. */
  driven: boolean
  /** Who pressed its emergency stop through the gateway. */
  emergency_stop: Author | null
  /** The stop that it was given some seconds ago, and that nothing shows it to have obeyed. */
  unstopped: { since: string; message: string } | null
  received: number
  refused: number
  unknown: number
  endpoints: Endpoint[]
}

export interface Health {
  status: string
  version: string
  uptime_s: number
  robots: number
  simulated: boolean
  sinks: number
}

export interface FieldShape {
  name: string
  type: string
  unit: string | null
  nullable: boolean
  summary: string
  words?: string[]
  fields?: FieldShape[]
  /** What stands in a list. */
  item?: Partial<FieldShape>
}

export interface KindShape {
  kind: string
  class: string
  summary: string
  fields: FieldShape[]
}

export interface FigurePart {
  kind: string
  part: string | null
  x_m: number
  y_m: number
  z_m: number
  yaw_rad: number
  field_of_view_rad: number | null
  max_m: number | null
  label: string
}

export interface FigureJoint {
  part: string
  label: string
  min_rad?: number | null
  max_rad?: number | null
  neutral_rad?: number | null
  min_m?: number | null
  max_m?: number | null
  min_ratio?: number | null
  max_ratio?: number | null
}

export interface Figure {
  family: string
  title: string
  outline_m: [number, number][]
  height_m: number
  color: [number, number, number]
  parts: FigurePart[]
  joints: FigureJoint[]
  lamps: { part: string | null; label: string }[]
  cameras: { kind: string; part: string }[]
  key_phrase: string | null
  sounds: string[]
  stimuli: string[]
  commands: string[]
  max_linear_mps: number
  max_angular_radps: number
}

export interface FieldPair {
  wire: string
  kind: string | null
  /** The part whose field it is, if the message has such a field for each of several parts. */
  part?: string | null
  model: string | null
  unit: string | null
  /** What the model's number times this is the number on the wire. */
  factor: number | null
  note: string | null
  /** `value`, `part`, `kind`, `time`, `own` or `reserved`. */
  role?: string
  /** A full turn on the wire, if numbers that differ by it mean the same. */
  turn?: number | null
}

export interface DialectMessage {
  topic: string
  kinds: string[]
  summary: string
  fields: FieldPair[]
}

export interface Dialect {
  name: string
  robots: string
  transport: string
  messages: DialectMessage[]
}

/** How something of a robot reaches a client. */
export type Support = 'native' | 'exact' | 'derived' | 'absent'

/** A message or command of a dialect, for robots of a family. */
export interface Cell {
  name: string
  is_command: boolean
  support: Support
  /** From what it is derived and how. */
  how?: string
}

/** What programs of a dialect get of robots of a family. */
export interface Pair {
  family: string
  dialect: string
  /** What a client gets of what is absent. */
  absent: string
  cells: Cell[]
}

export interface Matrix {
  pairs: Pair[]
}

export interface Line {
  dialect: string
  tool: string
  line: string
}

export interface Sink {
  dialect: string
  peer: string
  since: string
  /** Whether it is a part of the gateway and no client. */
  internal?: boolean
  subscriptions: number
  selects?: string[]
  waiting?: number
  delivered: number
  coalesced: number
  lost: number
}

/** What a client has open: a connection, or a login. */
export interface Session {
  id: number
  protocol: string
  user: string | null
  peer: string
  client: string | null
  since: string
  until: string | null
}

export interface TaskReport {
  at: string
  state: string
  action: string | null
  target: string | null
  reason: string | null
}

export interface TaskLog {
  robot: string
  id: string
  kind: string
  state: string
  source: 'task' | 'navigation'
  begun: string
  updated: string
  ended: string | null
  reports: TaskReport[]
}

export interface AlertLog {
  robot: string
  source: string
  code: number | null
  severity: 'warning' | 'error'
  message: string
  raised: string
  cleared: string | null
}

export interface Shape {
  layer: string
  name: string | null
  label: string | null
  polygon_m: [number, number][] | null
  circle: { x_m: number; y_m: number; radius_m: number } | null
  x_m: number
  y_m: number
  yaw_rad: number
  color: [number, number, number] | null
  height_m: number | null
  reality: string
  movable: boolean
}

export interface WorldNow {
  time_s: number
  speed: number
  paused: boolean
  load_ratio: number
  revision: number
  robots: { robot: string; family: string; x_m: number; y_m: number; yaw_rad: number }[]
  people: {
    name: string | null
    x_m: number
    y_m: number
    yaw_rad: number
    radius_m: number
    color: [number, number, number] | null
  }[]
  doors: { name: string; state: string; polygon_m: [number, number][] }[]
  things: { name: string; layer: string; x_m: number; y_m: number; yaw_rad: number }[]
}

export interface World {
  name: string
  bounds_m: [number, number, number, number]
  revision: number
  shapes: Shape[]
  now: WorldNow
}

/** What numbers of one key were, in columns by dotted paths. */
export interface Samples {
  key: string
  robot: string
  kind: string
  part: string | null
  at_ms: number[]
  fields: Record<string, (number | null)[]>
}

/** Where a frame of the tree is in another. */
export interface FrameOfTree {
  name: string
  in: string | null
  x_m: number
  y_m: number
  yaw_rad: number
}

export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  place?: string
  advice?: string
  outcome?: string
}

export interface Outcome {
  outcome: string
  command_id?: string
  reason?: string
  readings?: { kind: string; part?: string; data: Data }[]
}
