// The outline of a family's robot, seen from above and heading up, from the data that the family declares.

import { familyColor, figures } from '../live/gateway'

export function Silhouette({ family, size = 32 }: { family: string; size?: number }) {
  const outline = figures.value[family]?.outline_m ?? FALLBACK
  const reach = Math.max(...outline.flatMap(([x, y]) => [Math.abs(x), Math.abs(y)])) * 1.1
  // The robot's x looks up the page, its y to the left.
  const path = outline.map(([x, y]) => `${-y / reach},${-x / reach}`).join(' ')
  return (
    <svg class="silhouette" width={size} height={size} viewBox="-1 -1 2 2" aria-hidden="true">
      <polygon
        points={path}
        fill="none"
        stroke={familyColor(family)}
        stroke-width="0.16"
        stroke-linejoin="round"
      />
      <path d="M-0.3 0.12 L0 -0.35 L0.3 0.12 Z" fill={familyColor(family)} />
    </svg>
  )
}

const FALLBACK: [number, number][] = [
  [0.2, 0.2],
  [-0.2, 0.2],
  [-0.2, -0.2],
  [0.2, -0.2],
]
