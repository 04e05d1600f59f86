// Writes the types of the gateway's JSON, version 1, into src/api/types.ts from docs/api/openapi.json, which the program makes.

import { readFileSync, writeFileSync } from 'node:fs'

const SOURCE = new URL('../docs/api/openapi.json', import.meta.url)
const TARGET = new URL('src/api/types.ts', import.meta.url)

// Words of JSON Schema that the API does not use, and that are not read here.
const UNREAD = ['anyOf', 'const', 'not', 'patternProperties', 'prefixItems']

const comment = (text, indent = '') =>
  text ? `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', `\n${indent}    `)} */\n` : ''

const inParentheses = (type) => (type.includes(' | ') ? `(${type})` : type)

function record(schema, indent) {
  const { properties = {}, required = [], additionalProperties } = schema
  const within = `${indent}  `
  const fields = Object.entries(properties).map(([name, field]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
    const about = comment(field.description ?? field.oneOf?.[0].description, within)
    return `${about}${within}${key}${required.includes(name) ? '' : '?'}: ${type(field, within)}\n`
  })
  if (fields.length > 0) return `{\n${fields.join('')}${indent}}`
  return `Record<string, ${additionalProperties ? type(additionalProperties, indent) : 'unknown'}>`
}

function list({ items, minItems, maxItems }, indent) {
  const item = type(items, indent)
  return minItems === maxItems && minItems
    ? `[${Array(minItems).fill(item).join(', ')}]`
    : `${inParentheses(item)}[]`
}

function type(schema, indent = '') {
  const { $ref, oneOf, allOf, enum: words } = schema
  const unread = UNREAD.find((word) => word in schema)
  if (unread) throw new Error(`no type for ${unread}: ${JSON.stringify(schema)}`)
  if ($ref) return $ref.slice('#/components/schemas/'.length)
  if (oneOf) return oneOf.map((it) => type(it, indent)).join(' | ')
  if (allOf) return allOf.map((it) => inParentheses(type(it, indent))).join(' & ')
  if (words) return words.map((it) => JSON.stringify(it)).join(' | ')
  if (Array.isArray(schema.type))
    return schema.type.map((it) => type({ ...schema, type: it }, indent)).join(' | ')
  switch (schema.type) {
    case 'object':
      return record(schema, indent)
    case 'array':
      return list(schema, indent)
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case undefined:
      return 'unknown'
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`)
  }
}

const { components } = JSON.parse(readFileSync(SOURCE, 'utf8'))
const types = Object.entries(components.schemas).map(
  ([name, schema]) => `${comment(schema.description)}export type ${name} = ${type(schema)}\n`,
)
writeFileSync(TARGET, ['// Made by `npm run types`.\n', ...types].join('\n'))
