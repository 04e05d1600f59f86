// A short list of names and values.

export function Facts({ title, facts }: { title: string; facts: [string, string][] }) {
  if (facts.length === 0) return null
  return (
    <section>
      <h3>{title}</h3>
      <dl class="facts">
        {facts.map(([name, value], at) => (
          <div key={at}>
            <dt>{name}</dt>
            <dd class={value === 'no data' ? 'muted' : ''}>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
