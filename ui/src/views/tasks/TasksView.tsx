export function TasksView(_: { params: Record<string, string | undefined> }) {
  return <h1>Tasks</h1>
}
