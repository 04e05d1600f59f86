export function ConnectionsView(_: { params: Record<string, string | undefined> }) {
  return <h1>Connections</h1>
}
