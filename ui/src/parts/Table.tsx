// A table that becomes a list of cards where there is no room for columns.

import './table.css'

import type { ComponentChildren } from 'preact'

export interface Column<T> {
  head: string
  /** Numbers stand on the right. */
  number?: boolean
  /** Short text, which is broken only where it has to be. */
  short?: boolean
  /** What the row is about. */
  rowHead?: boolean
  cell: (row: T) => ComponentChildren
}

interface Props<T> {
  label: string
  columns: Column<T>[]
  rows: T[]
  rowKey: (row: T) => string
}

export function Table<T>({ label, columns, rows, rowKey }: Props<T>) {
  return (
    <div class="tablebox" tabIndex={0} role="region" aria-label={`${label}, as a table`}>
      <table>
        <thead>
          <tr>
            {columns.map(({ head, number }) => (
              <th key={head} scope="col" class={number ? 'number' : ''}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ head, number, short, rowHead, cell }) =>
                rowHead ? (
                  <th key={head} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={head} data-head={head} class={number ? 'number' : short ? 'short' : ''}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
