// A program for a robot behind rosbridge, with roslib from npm: it looks what there is, follows the robot, drives and stops it.
import assert from 'node:assert/strict'
import { Ros, Service, TFClient, Topic } from 'roslib'

const [, , url, robot] = process.argv
const PATIENCE_MS = 20_000

const ros = new Ros({ url })
const until = (what, promise) => {
  let timer
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`${what} takes too long`)), PATIENCE_MS)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
const statuses = []
ros.on('status', (status) => statuses.push(status))
await until('connecting', new Promise((done, fail) => {
  ros.on('connection', done)
  ros.on('error', fail)
}))

const topic = (name, messageType, options = {}) => new Topic({ ros, name: `/${robot}/${name}`, messageType, ...options })
const first = (from, wanted = () => true) =>
  until(from.name, new Promise((done) => {
    const heard = (message) => {
      if (wanted(message)) {
        from.unsubscribe(heard)
        done(message)
      }
    }
    from.subscribe(heard)
  }))

const known = await until('getTopics', new Promise((done, fail) => ros.getTopics(done, fail)))
const typeOf = (name) => known.types[known.topics.indexOf(`/${robot}/${name}`)]
assert.equal(typeOf('battery'), 'sensor_msgs/BatteryState')
assert.equal(typeOf('cmd_vel'), 'geometry_msgs/Twist')
const type = await until('getTopicType', new Promise((done, fail) => ros.getTopicType(`/${robot}/pose`, done, fail)))
assert.equal(type, 'geometry_msgs/PoseStamped')
const services = await until('getServices', new Promise((done, fail) => ros.getServices(done, fail)))
assert.ok(services.includes(`/${robot}/stop`), services)

const battery = await first(topic('battery', 'sensor_msgs/BatteryState'))
assert.ok(battery.percentage > 0 && battery.percentage <= 1, JSON.stringify(battery))
assert.ok(battery.header.stamp.secs > 1_700_000_000, JSON.stringify(battery))

const pose = topic('pose', 'geometry_msgs/PoseStamped', { throttle_rate: 50 })
const place = async () => (await first(pose)).pose.position
const from = await place()
const drive = topic('cmd_vel', 'geometry_msgs/Twist')
const twist = (x) => ({ linear: { x, y: 0, z: 0 }, angular: { x: 0, y: 0, z: 0 } })
const repeating = setInterval(() => drive.publish(twist(0.2)), 100)
const moving = await first(topic('odom', 'nav_msgs/Odometry'), (it) => it.twist.twist.linear.x > 0.05)
assert.equal(moving.child_frame_id, `${robot}/base_link`)
await first(pose, ({ pose: { position } }) => Math.hypot(position.x - from.x, position.y - from.y) > 0.1)
clearInterval(repeating)

const stop = new Service({ ros, name: `/${robot}/stop`, serviceType: 'std_srvs/Trigger' })
const answer = await until('stop', new Promise((done, fail) => stop.callService({}, done, fail)))
assert.deepEqual(answer, { success: true, message: '' })
await first(topic('odom', 'nav_msgs/Odometry'), (it) => Math.abs(it.twist.twist.linear.x) < 0.01)

const nothing = new Service({ ros, name: `/${robot}/dance`, serviceType: 'std_srvs/Trigger' })
const refusal = await until('dance', new Promise((done) => nothing.callService({}, done, done)))
assert.match(String(refusal), /there is no service/)

// What there is, as roslib's own functions ask for it.
const ask = (what, ...args) => until(what, new Promise((done, fail) => ros[what](...args, done, fail)))
assert.ok((await ask('getNodes')).includes(`/${robot}`))
const details = await until('getNodeDetails', new Promise((done, fail) => ros.getNodeDetails(`/${robot}`, done, fail)))
assert.ok(JSON.stringify(details).includes(`/${robot}/cmd_vel`), JSON.stringify(details))
assert.deepEqual(await ask('getTopicsForType', 'geometry_msgs/Twist'), [`/${robot}/cmd_vel`])
assert.deepEqual(await ask('getServicesForType', 'std_srvs/Trigger'), [`/${robot}/stop`])
assert.equal(await ask('getServiceType', `/${robot}/stop`), 'std_srvs/Trigger')
const twistDetails = ros.decodeTypeDefs(await ask('getMessageDetails', 'geometry_msgs/Twist'))
assert.deepEqual(twistDetails.linear, { x: 'float64', y: 'float64', z: 'float64' })
const raw = await ask('getTopicsAndRawTypes')
assert.match(raw.typedefs_full_text[raw.topics.indexOf(`/${robot}/pose`)], /MSG: geometry_msgs\/Quaternion/)
assert.ok(Array.isArray(await ask('getActionServers')))
assert.ok((await ask('getParams')).includes('/rosdistro'))
const odometry = await first(topic('odom', 'nav_msgs/Odometry'))
assert.equal(odometry.pose.covariance.length, 36)
// Where it is, computed by the bridge.
const frames = new TFClient({ ros, fixedFrame: `${robot}/base_link`, rate: 20, angularThres: 0.01, transThres: 0.01 })
const odom = await until('a transform', new Promise((done) => frames.subscribe(`${robot}/odom`, done)))
assert.ok(Math.abs(Math.hypot(...Object.values(odom.rotation)) - 1) < 1e-6, JSON.stringify(odom))
assert.ok((await ask('getActionServers')).includes('/tf2_web_republisher'))
assert.deepEqual(statuses, [], 'a status is for those who ask for it')
ros.close()
