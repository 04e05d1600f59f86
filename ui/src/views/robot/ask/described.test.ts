import { expect, it } from 'vitest'

import { described, type OpenApi, written } from './described'

const API: OpenApi = {
  components: {
    schemas: {
      Seconds: { type: 'number' },
      Side: { type: 'string', enum: ['left', 'right'] },
      Command: {
        oneOf: [
          {
            description: 'Go on a circle.',
            required: ['duration_s', 'command'],
            properties: {
              duration_s: { $ref: '#/components/schemas/Seconds', description: 'In what time.' },
              side: {
                oneOf: [{ $ref: '#/components/schemas/Side', description: 'Where.' }, { type: 'null' }],
              },
              name: { type: ['string', 'null'] },
              reverse: { type: 'boolean' },
              command: { type: 'string', enum: ['arc'] },
            },
          },
          { properties: { targets: { type: 'array' }, command: { enum: ['joints'] } } },
          { properties: { command: { enum: ['other'] } } },
        ],
      },
    },
  },
}

it('reads the commands that a robot takes and a form can have', () => {
  const [arc, ...others] = described(API, new Set(['arc', 'joints']))
  expect(others).toEqual([])
  expect(arc?.fields.map(({ name, kind, required }) => [name, kind, required])).toEqual([
    ['duration_s', 'number', true],
    ['side', 'word', false],
    ['name', 'text', false],
    ['reverse', 'switch', false],
  ])
  expect(arc?.fields[1]).toMatchObject({ words: ['left', 'right'], summary: 'Where.' })
})

it('writes what is filled in', () => {
  const [arc] = described(API, new Set(['arc']))
  expect(arc && written(arc, { duration_s: '2.5', reverse: 'true', name: '' })).toEqual({
    command: 'arc',
    duration_s: 2.5,
    reverse: true,
  })
})
