export function LogView(_: { params: Record<string, string | undefined> }) {
  return <h1>Log</h1>
}
