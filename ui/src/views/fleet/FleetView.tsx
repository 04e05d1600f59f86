export function FleetView(_: { params: Record<string, string | undefined> }) {
  return <h1>Fleet</h1>
}
