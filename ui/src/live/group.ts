// Lists by something that their items share, in the order in which it first appears.

export function grouped<T>(list: readonly T[], by: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>()
  for (const item of list) {
    const group = groups.get(by(item))
    if (group) group.push(item)
    else groups.set(by(item), [item])
  }
  return [...groups]
}
