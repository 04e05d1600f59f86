// Circles of equal distance behind the body, with their distances.

export function Rings({ radius_m, step_m, letter }: { radius_m: number; step_m: number; letter: number }) {
  const rings: number[] = []
  for (let ring = step_m; ring <= radius_m * 0.98; ring += step_m) rings.push(Math.round(ring * 100) / 100)
  const diagonal = Math.SQRT1_2
  return (
    <g class="rings" aria-hidden="true">
      <path d={`M0 ${-radius_m}V${radius_m}M${-radius_m} 0H${radius_m}`} />
      {rings.map((ring) => (
        <g key={ring}>
          <circle r={ring} />
          <text x={ring * diagonal} y={ring * diagonal} font-size={letter}>
            {ring} m
          </text>
        </g>
      ))}
    </g>
  )
}
