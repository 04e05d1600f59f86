// Lines with times of their own as one table for the chart: all times, and for each line its values at them.

export interface Line {
  at: number[]
  value: (number | null)[]
}

/** `undefined` means no value of this line at that time, `null` a hole. Times become seconds. */
export function align(lines: Line[], factors: number[]): [number[], ...(number | null | undefined)[][]] {
  const all = new Set<number>()
  for (const line of lines) for (const at of line.at) all.add(at)
  const times = [...all].sort((a, b) => a - b)
  const place = new Map(times.map((at, index) => [at, index]))
  const columns = lines.map((line, number) => {
    const column = new Array<number | null | undefined>(times.length).fill(undefined)
    line.at.forEach((at, index) => {
      const value = line.value[index] ?? null
      column[place.get(at) ?? 0] = value === null ? null : value * (factors[number] ?? 1)
    })
    return column
  })
  return [times.map((at) => at / 1000), ...columns]
}
