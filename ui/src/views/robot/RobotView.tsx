export function RobotView(_: { params: Record<string, string | undefined> }) {
  return <h1>Robot</h1>
}
