// The drawing of one chart: lines over time, an axis a unit, values under the pointer.

import 'uplot/dist/uPlot.min.css'

import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'

import { theme } from '../../../app/theme'
import { fixed, shown } from '../units'
import { align } from './align'
import { idOf, nameOf, type Series } from './series'

export interface Hover {
  /** Seconds since 1970. */
  at: number
  values: (number | null)[]
}

interface Props {
  lines: Series[]
  window_s: number
  paused: boolean
  /** What is under the pointer, or nothing while it is elsewhere. */
  onHover: (hover: Hover | null) => void
}

const HEIGHT = 190
/** The second axis; the first is where axes are by themselves. */
const RIGHT: unknown = 1
const DRAW_MS = 250

export function Plot({ lines, window_s, paused, onHover }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const colours = theme.value
  const until = useRef(Date.now())
  const ids = lines.map((line) => idOf(line.spec)).join()

  useEffect(() => {
    const element = box.current
    if (!element) return
    if (!paused) until.current = Date.now()
    const plot = new uPlot(options(element, lines, onHover), [[], ...lines.map(() => [])], element)
    const draw = () => {
      if (!paused) until.current = Date.now()
      const end = until.current
      const from = end - window_s * 1000
      const factors = lines.map((line) => shown(line.spec.unit).factor)
      plot.setData(
        align(
          lines.map((line) => line.history.since(from)),
          factors,
        ),
        false,
      )
      plot.setScale('x', { min: from / 1000, max: end / 1000 })
    }
    draw()
    const timer = paused ? 0 : window.setInterval(() => !document.hidden && draw(), DRAW_MS)
    const sizes = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }))
    sizes.observe(element)
    return () => {
      window.clearInterval(timer)
      sizes.disconnect()
      plot.destroy()
    }
  }, [ids, window_s, paused, colours])

  return (
    <div
      ref={box}
      class="plot"
      role="img"
      aria-label={`Chart of ${lines.map((it) => nameOf(it.spec)).join('; ')}`}
    />
  )
}

function options(element: HTMLElement, lines: Series[], onHover: Props['onHover']): uPlot.Options {
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const units = [...new Set(lines.map((line) => shown(line.spec.unit).unit))]
  const font = `12px ${style.getPropertyValue('--font')}`
  const grid = { stroke: colour('--line'), width: 1 }
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: Object.fromEntries(units.map((unit) => [`y${unit}`, { range: spread }])),
    series: [
      {},
      ...lines.map((line, at) => ({
        scale: `y${shown(line.spec.unit).unit}`,
        stroke: colour(lineColour(at)),
        width: 2,
        dash: DASHES[at % DASHES.length],
        points: { show: false },
      })),
    ],
    axes: [
      { stroke: colour('--ink-3'), font, grid, ticks: grid, values: times, size: 32 },
      ...units.slice(0, 2).map((unit, at) => ({
        scale: `y${unit}`,
        ...(at === 0 ? {} : { side: RIGHT as uPlot.Axis.Side }),
        stroke: colour('--ink-3'),
        font,
        size: 44 + unit.length * 8,
        grid: at === 0 ? grid : { show: false },
        ticks: grid,
        values: (_: uPlot, splits: number[], __: number, ___: number, step: number) =>
          splits.map((split) => `${fixed(split, digits(step))} ${unit}`.trim()),
      })),
    ],
    hooks: {
      setCursor: [
        (plot) => {
          const at = plot.cursor.idx
          if (at === null || at === undefined || (plot.cursor.left ?? -1) < 0) onHover(null)
          else {
            const values = lines.map((_, line) => nearby(plot.data[line + 1], at))
            onHover({ at: plot.data[0][at] ?? 0, values })
          }
        },
      ],
    },
  }
}

export const lineColour = (at: number) => `--cat-${[2, 0, 3, 1, 4, 5, 6, 7][at % 8]}`
/** Lines are distinct without colour too. */
export const DASHES: number[][] = [[], [6, 4], [2, 3], [10, 3, 2, 3]]

const digits = (step: number) => Math.max(0, Math.min(4, -Math.floor(Math.log10(step || 1))))

/** Some room around the values; a steady value gets a line in the middle. */
function spread(_: uPlot, min: number | null, max: number | null): [number, number] {
  if (min === null || max === null) return [0, 1]
  const room = Math.max((max - min) * 0.1, Math.abs(max) * 0.02, 0.05)
  return [min - room, max + room]
}

export const clock = (at: number, withSeconds: boolean) =>
  new Date(at * 1000).toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: withSeconds ? '2-digit' : undefined,
  })

const times = (_: uPlot, splits: number[], __: number, ___: number, step: number) =>
  splits.map((split) => clock(split, step < 60))

/** The value of a line at a place, or the last one before it that the line had. */
function nearby(column: uPlot.AlignedData[number] | undefined, at: number): number | null {
  for (let index = at; index >= 0 && index > at - 50; index--) {
    const value = column?.[index]
    if (value !== undefined) return value
  }
  return null
}
