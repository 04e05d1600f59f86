// Families as rows, dialects as columns: how much of each dialect there is for each family.

import type { Pair } from '../../../api/types'
import { type Column, Table } from '../../../parts/Table'
import { addressOf, type FamilyRow, inWords, sharesOf, SUPPORTS, tableOf } from './matrix'

interface Props {
  pairs: Pair[]
  chosen: Pair | undefined
}

export function Pairs({ pairs, chosen }: Props) {
  const { rows, dialects } = tableOf(pairs)
  const columns: Column<FamilyRow>[] = [
    { head: 'Family', rowHead: true, cell: ({ family }) => family },
    ...dialects.map((dialect) => ({
      head: dialect,
      cell: (row: FamilyRow) => {
        const pair = row.pairs.get(dialect)
        return pair && <PairLink pair={pair} here={pair === chosen} />
      },
    })),
  ]
  return (
    <section class="panel pairs" aria-labelledby="pairs">
      <header>
        <h2 id="pairs">Families in dialects</h2>
        <ul class="legend" aria-label="Messages and commands of a dialect">
          {SUPPORTS.map((support) => (
            <li key={support} data-support={support}>
              {support}
            </li>
          ))}
        </ul>
      </header>
      <Table label="Families in dialects" columns={columns} rows={rows} rowKey={({ family }) => family} />
    </section>
  )
}

function PairLink({ pair, here }: { pair: Pair; here: boolean }) {
  const shares = sharesOf(pair)
  return (
    <a href={addressOf(pair)} aria-current={here ? 'true' : undefined}>
      <span>{shares?.map(({ count }) => count).join('/') ?? 'native'}</span>
      <span class="shares" role="img" aria-label={`${pair.family} in ${pair.dialect}: ${inWords(shares)}`}>
        {(shares ?? [{ support: 'native', count: 1 }]).map(({ support, count }) => (
          <i key={support} data-support={support} style={{ flexGrow: count }} />
        ))}
      </span>
    </a>
  )
}
