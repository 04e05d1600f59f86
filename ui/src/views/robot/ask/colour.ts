// Colours as lamps take them and as the browser writes them.

export type Rgb = [number, number, number]

const two = (value: number) =>
  Math.max(0, Math.min(255, Math.round(value)))
    .toString(16)
    .padStart(2, '0')

export const hexOf = (rgb: Rgb) => `#${rgb.map(two).join('')}`

export function rgbOf(hex: string): Rgb {
  const digits = /^#?([0-9a-f]{6})$/i.exec(hex)?.[1] ?? '000000'
  return [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16)) as Rgb
}
