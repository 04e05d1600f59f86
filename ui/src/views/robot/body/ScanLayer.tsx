// The points of a laser scanner around the robot, on a canvas of their own.

import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

import { useFeed } from '../../../api/feeds'
import type { FigurePart } from '../../../api/types'
import { theme } from '../../../app/theme'
import { newest, selectOf } from '../robotFeed'
import { scanPoints, type ScanRays } from './geometry'

/** Three of four points are nearer than this; the drawing is made for them. */
export const useScanReach = (_: string) => useSignal(0)
const SHARE = 0.8

interface Props {
  robot: string
  part: FigurePart
  radius_m: number
  reach: Signal<number>
}

export function ScanLayer({ robot, part, radius_m, reach }: Props) {
  const feed = useFeed({ select: selectOf(robot, ['scan']), every: '100ms', batch: '100ms' })
  const canvas = useRef<HTMLCanvasElement>(null)
  const tick = feed.tick.value
  const colours = theme.value
  useEffect(() => {
    const data = newest(feed, robot, 'scan')?.data as ScanRays | undefined
    const points = data ? scanPoints(data, part) : new Float32Array()
    reach.value = farthest(points)
    if (canvas.current) draw(canvas.current, points, radius_m)
  }, [tick, radius_m, colours])
  return <canvas ref={canvas} aria-hidden="true" />
}

function farthest(points: Float32Array): number {
  const lengths = new Float32Array(points.length / 2)
  for (let at = 0; at < lengths.length; at++) {
    lengths[at] = Math.hypot(points[at * 2] ?? 0, points[at * 2 + 1] ?? 0)
  }
  return lengths.sort()[Math.floor(lengths.length * SHARE)] ?? 0
}

function draw(canvas: HTMLCanvasElement, points: Float32Array, radius_m: number): void {
  const side = canvas.clientWidth * devicePixelRatio
  if (canvas.width !== side || canvas.height !== side) {
    canvas.width = side
    canvas.height = side
  }
  const context = canvas.getContext('2d')
  if (!context) return
  context.clearRect(0, 0, side, side)
  context.fillStyle = getComputedStyle(canvas).color
  const scale = side / 2 / radius_m
  const dot = 2.4 * devicePixelRatio
  for (let at = 0; at + 1 < points.length; at += 2) {
    const x = side / 2 - (points[at + 1] ?? 0) * scale
    const y = side / 2 - (points[at] ?? 0) * scale
    context.fillRect(x - dot / 2, y - dot / 2, dot, dot)
  }
}
