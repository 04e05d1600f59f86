export function MapView(_: { params: Record<string, string | undefined> }) {
  return <h1>Map</h1>
}
