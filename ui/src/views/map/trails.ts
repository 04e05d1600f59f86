// Where robots were lately: a bounded line each, a point only after some way.

import type { Point } from './camera'

const STEP_M = 0.04
/** Farther than any robot drives between two frames: it was put elsewhere. */
const JUMP_M = 1.0
const LONGEST = 400

export class Trails {
  private lines = new Map<string, Point[]>()

  /** Adds where a robot is now. */
  add(robot: string, at: Point): void {
    const line = this.lines.get(robot)
    const last = line?.at(-1)
    if (!line || !last) {
      this.lines.set(robot, [at])
      return
    }
    const way = Math.hypot(at[0] - last[0], at[1] - last[1])
    if (way > JUMP_M) this.lines.set(robot, [at])
    else if (way >= STEP_M) {
      line.push(at)
      if (line.length > LONGEST) line.splice(0, line.length - LONGEST)
    }
  }

  of(robot: string): readonly Point[] {
    return this.lines.get(robot) ?? []
  }

  /** Forgets robots that are no more. */
  keep(robots: Set<string>): void {
    for (const robot of this.lines.keys()) if (!robots.has(robot)) this.lines.delete(robot)
  }

  clear(): void {
    this.lines.clear()
  }
}
