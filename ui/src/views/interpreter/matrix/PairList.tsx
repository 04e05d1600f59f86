// One pair: the dialect's messages and commands by how they reach a client.

import { useEffect, useRef } from 'preact/hooks'

import type { Cell, Pair } from '../../../api/types'
import { Note } from '../Note'
import { groupsOf, inWords, MEANINGS, sharesOf, sizeOf } from './matrix'

/** A list that begins further down than this share of the window is out of sight. */
const IN_SIGHT = 2 / 3

export function PairList({ pair }: { pair: Pair }) {
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    const top = list.current?.getBoundingClientRect().top ?? 0
    if (top > window.innerHeight * IN_SIGHT) list.current?.scrollIntoView()
  }, [pair.family, pair.dialect])
  return (
    <section class="panel pairlist" aria-labelledby="pair" ref={list}>
      <header>
        <h2 id="pair">
          {pair.family} in {pair.dialect}
        </h2>
        <span class="muted">{inWords(sharesOf(pair))}</span>
      </header>
      <div class="body">
        {groupsOf(pair).map((group) => (
          <section key={group.support} aria-labelledby={`pair-${group.support}`}>
            <h3 id={`pair-${group.support}`} data-support={group.support}>
              {group.support} <span class="muted">{sizeOf(group)}</span>
            </h3>
            <p class="muted">{MEANINGS[group.support]}</p>
            {group.support === 'absent' && (
              <p>
                <Note text={pair.absent} />
              </p>
            )}
            <Cells title="Messages" cells={group.messages} />
            <Cells title="Commands" cells={group.commands} />
          </section>
        ))}
      </div>
    </section>
  )
}

function Cells({ title, cells }: { title: string; cells: Cell[] }) {
  if (cells.length === 0) return null
  return (
    <>
      <h4>{title}</h4>
      <ul>
        {cells.map(({ name, how }) => (
          <li key={name} class={how === undefined ? '' : 'derived'}>
            <code>{name}</code> {how !== undefined && <span class="muted">{how}</span>}
          </li>
        ))}
      </ul>
    </>
  )
}
