// What the gateway's own description says of commands whose fields a form can have: switches, numbers and texts.

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: string[]
  oneOf?: Schema[]
  required?: string[]
  properties?: Record<string, Schema>
}

export interface OpenApi {
  components: { schemas: Record<string, Schema> }
}

export interface Field {
  name: string
  kind: 'switch' | 'number' | 'text' | 'word'
  words: string[]
  summary: string
  required: boolean
}

export interface Described {
  name: string
  summary: string
  fields: Field[]
}

/** The commands of some names, in the order of the description. */
export function described({ components }: OpenApi, names: ReadonlySet<string>): Described[] {
  const { schemas } = components
  return (schemas['Command']?.oneOf ?? []).flatMap((schema) => {
    const { command, ...rest } = schema.properties ?? {}
    const name = command?.enum?.[0]
    if (name === undefined || !names.has(name)) return []
    const fields = Object.entries(rest).map(([field, it]) =>
      fieldOf(field, it, schemas, schema.required ?? []),
    )
    // A command with lists and records in it has a form of its own, or none.
    if (fields.includes(null)) return []
    return [{ name, summary: schema.description ?? '', fields: fields.filter((it) => it !== null) }]
  })
}

function fieldOf(
  name: string,
  schema: Schema,
  schemas: Record<string, Schema>,
  required: string[],
): Field | null {
  const given = schema.oneOf?.find((it) => it.type !== 'null') ?? schema
  const behind = given.$ref === undefined ? given : schemas[given.$ref.split('/').at(-1) ?? '']
  const types = [behind?.type ?? []].flat().filter((it) => it !== 'null')
  const words = behind?.enum ?? []
  const kind =
    words.length > 0
      ? 'word'
      : types[0] === 'boolean'
        ? 'switch'
        : types[0] === 'number' || types[0] === 'integer'
          ? 'number'
          : types[0] === 'string'
            ? 'text'
            : null
  if (kind === null) return null
  const summary = schema.description ?? given.description ?? ''
  return { name, kind, words, summary, required: required.includes(name) }
}

/** The command as the gateway takes it; what is left empty is left out. */
export function written(
  { name, fields }: Described,
  values: Record<string, string>,
): Record<string, unknown> {
  const given = fields.flatMap(({ name, kind }) => {
    const value = values[name] ?? ''
    if (value === '') return []
    return [[name, kind === 'number' ? Number(value) : kind === 'switch' ? value === 'true' : value] as const]
  })
  return { command: name, ...Object.fromEntries(given) }
}
