export function InterpreterView(_: { params: Record<string, string | undefined> }) {
  return <h1>Interpreter</h1>
}
