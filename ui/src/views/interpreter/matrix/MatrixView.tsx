// What a program of each dialect gets of robots of each family: all pairs as a table, one pair as a list.

import './matrix.css'

import type { Matrix } from '../../../api/types'
import { reach } from '../../../live/gateway'
import { usePoll } from '../../../live/poll'
import { Empty } from '../../../parts/Empty'
import { Head } from '../Head'
import { fromAddress } from './matrix'
import { Pairs } from './Pairs'
import { PairList } from './PairList'

/** It changes only when the gateway does. */
const EVERY_MS = 3_600_000

export function MatrixView({ params }: { params: Record<string, string | undefined> }) {
  const polled = usePoll<Matrix>('/api/v1/matrix', EVERY_MS, reach.value)
  const pairs = polled.value?.pairs
  const asked = fromAddress(params['*'])
  const chosen = pairs?.find((it) => it.family === asked?.family && it.dialect === asked.dialect)
  return (
    <div class="interpreter matrix">
      <Head title="Matrix" here="/interpreter/matrix">
        What a program of each dialect gets of robots of each family: messages and commands that are
        exact/derived/absent.
      </Head>
      {polled.error && !pairs && <Empty title={polled.error} />}
      {pairs && <Pairs pairs={pairs} chosen={chosen} />}
      {chosen && <PairList pair={chosen} />}
      {pairs && !chosen && (
        <Empty title={asked ? `There is no pair ${asked.family}/${asked.dialect}` : 'No pair chosen'}>
          Choose one above to see its messages and commands.
        </Empty>
      )}
    </div>
  )
}
