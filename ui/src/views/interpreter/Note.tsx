// A note of a table; what stands between backticks is code.

export function Note({ text }: { text: string }) {
  return <>{text.split('`').map((piece, at) => (at % 2 === 1 ? <code key={at}>{piece}</code> : piece))}</>
}
