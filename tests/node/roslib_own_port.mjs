// roslib_own_port.mjs PACKAGE URL: a program in Node with one major of roslib, at the address of one robot.
import { uses } from './roslib_checks.mjs'

const [, , name, url] = process.argv
const roslib = await import(name)
await uses(roslib.default ?? roslib, url)
// The older one keeps Node alive.
process.exit(0)
