// What a program with roslib does with the one robot at an address, in Node and in a browser, with either major of the library: it looks what there
// is, follows the robot, drives it and stops it. Failures are thrown.
const PATIENCE_MS = 60_000

const check = (holds, what) => {
  if (!holds) throw new Error(typeof what === 'string' ? what : JSON.stringify(what))
}

const until = (what, begin) => {
  let timer
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error(`${what} takes too long`)), PATIENCE_MS)
  })
  return Promise.race([new Promise(begin), late]).finally(() => clearTimeout(timer))
}

/** Connects to the robot's own address. */
export async function connect({ Ros }, url) {
  const ros = new Ros({ url })
  await until('connecting', (done, fail) => {
    ros.on('connection', done)
    ros.on('error', (error) => fail(error instanceof Error ? error : new Error(`no connection to ${url}`)))
  })
  return ros
}

/** The first message of a topic that is wanted. */
export function first({ Topic }, ros, name, messageType, wanted = () => true, options = {}) {
  const topic = new Topic({ ros, name, messageType, ...options })
  return until(name, (done) => {
    const heard = (message) => {
      if (!wanted(message)) return
      topic.unsubscribe(heard)
      done(message)
    }
    topic.subscribe(heard)
  })
}

const speedOf = (odometry) => odometry.twist.twist.linear.x
const isUnit = ({ x, y, z, w }) => Math.abs(x * x + y * y + z * z + w * w - 1) < 1e-6

async function asks(roslib, ros) {
  const { topics, types } = await until('getTopics', (done, fail) => ros.getTopics(done, fail))
  check(types[topics.indexOf('/odom')] === 'nav_msgs/Odometry', topics)
  check(types[topics.indexOf('/cmd_vel')] === 'geometry_msgs/Twist', topics)
  const services = await until('getServices', (done, fail) => ros.getServices(done, fail))
  check(services.includes('/stop') && services.includes('/rosapi/topics'), services)
  const details = await until('getMessageDetails', (done, fail) => ros.getMessageDetails('nav_msgs/Odometry', done, fail))
  check(ros.decodeTypeDefs(details).pose.pose.position.x === 'float64', details)
  const speed = new roslib.Param({ ros, name: '/my_app/speed' })
  await until('set', (done) => speed.set(0.25, done))
  check((await until('get', (done) => speed.get(done))) === 0.25, 'a parameter is kept')
  check((await until('getParams', (done, fail) => ros.getParams(done, fail))).includes('/my_app/speed'), 'a parameter is listed')
}

async function follows(roslib, ros) {
  const odometry = await first(roslib, ros, '/odom', 'nav_msgs/Odometry')
  check(odometry.pose.covariance.length === 36 && odometry.twist.covariance.length === 36, odometry)
  check(odometry.child_frame_id === 'base_link' && typeof odometry.header.seq === 'number', odometry)
  const isOfBase = (it) => it.child_frame_id === 'base_link' && isUnit(it.transform.rotation)
  const { transforms } = await first(roslib, ros, '/tf', 'tf2_msgs/TFMessage', (it) => it.transforms.some(isOfBase))
  check(transforms.every((it) => it.header.frame_id), transforms)
  // The same picture as JSON, in the pixels of another, and as bytes.
  const camera = (compression) =>
    first(roslib, ros, '/camera/compressed', 'sensor_msgs/CompressedImage', undefined, { compression, throttle_rate: 200 })
  check((await camera('none')).data.startsWith('/9j/'), 'a picture is base64 of a JPEG')
  check((await camera('png')).data.startsWith('/9j/'), 'the same within a PNG')
  const { data, format } = await camera('cbor')
  check(format === 'jpeg' && data instanceof Uint8Array && data[0] === 0xff && data[1] === 0xd8, 'bytes are bytes in CBOR')
  const imu = await first(roslib, ros, '/imu', 'sensor_msgs/Imu', undefined, { compression: 'cbor' })
  check(imu.orientation_covariance.length === 9 && isUnit(imu.orientation), imu)
}

async function drives(roslib, ros) {
  const drive = new roslib.Topic({ ros, name: '/cmd_vel', messageType: 'geometry_msgs/Twist' })
  const zero = { x: 0, y: 0, z: 0 }
  const repeating = setInterval(() => drive.publish({ linear: { ...zero, x: 0.2 }, angular: zero }), 100)
  const from = (await first(roslib, ros, '/odom', 'nav_msgs/Odometry')).pose.pose.position
  const isFar = ({ pose: { pose: { position } } }) => Math.hypot(position.x - from.x, position.y - from.y) > 0.1
  await first(roslib, ros, '/odom', 'nav_msgs/Odometry', (it) => speedOf(it) > 0.05 && isFar(it)).finally(() => clearInterval(repeating))
  const stop = new roslib.Service({ ros, name: '/stop', serviceType: 'std_srvs/Trigger' })
  const answer = await until('stop', (done, fail) => stop.callService({}, done, fail))
  check(answer.success === true, answer)
  await first(roslib, ros, '/odom', 'nav_msgs/Odometry', (it) => Math.abs(speedOf(it)) < 0.01)
}

/** All of it. */
export async function uses(roslib, url) {
  const ros = await connect(roslib, url)
  const statuses = []
  ros.on('status', (status) => statuses.push(status))
  await asks(roslib, ros)
  await follows(roslib, ros)
  await drives(roslib, ros)
  check(statuses.length === 0, statuses)
  ros.close()
}
