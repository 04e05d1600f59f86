// What the drawing shows, as numbers.

import type { Provenance as Origin } from '../../../api/types'
import { grouped } from '../../../live/group'
import { bool, words } from '../../../live/read'
import { Provenance } from '../../../parts/Provenance'
import { drawnWith, newest, type Shown } from '../robotFeed'
import { quantity } from '../units'
import { isEdge } from './Cones'
import { useContacts } from './contacts'
import { type Sensor, sensors, unplaced } from './sensors'

export function SensorTable({ robot, figure, feed }: Shown) {
  drawnWith(feed.tick.value)
  const contact = useContacts(robot.robot, feed)
  const all = (kind: string) => [
    ...sensors(feed, robot.robot, figure, kind),
    ...unplaced(feed, robot.robot, figure, kind),
  ]
  const ranges = all('range')
  const edges = all('cliff')
  const lights = (figure?.parts ?? []).filter((part) => part.kind === 'light')
  const contacts = (figure?.parts ?? []).filter((part) => part.kind === 'contact')
  // What feels along an arc is a bumper; what feels at a point is touched.
  const touched = [
    { title: 'Bumpers', parts: contacts.filter((part) => part.field_of_view_rad !== null) },
    { title: 'Touch', parts: contacts.filter((part) => part.field_of_view_rad === null) },
  ]
  if (ranges.length + edges.length + contacts.length + lights.length === 0) return null
  return (
    <div class="sensortables">
      {byOrigin(ranges).map(([origin, own]) => (
        <Table key={origin} title="Distance" provenance={own[0]?.update?.provenance}>
          {own.map((sensor) => (
            <Row
              key={sensor.part.part}
              name={sensor.part.label}
              quiet={!sensor.valid}
              value={rangeWords(sensor)}
            />
          ))}
        </Table>
      ))}
      {byOrigin(edges).map(([origin, own]) => (
        <Table key={origin} title="Floor below" provenance={own[0]?.update?.provenance}>
          {own.map((sensor) => (
            <Row
              key={sensor.part.part}
              name={sensor.part.label}
              quiet={!sensor.update}
              loud={isEdge(sensor)}
              value={sensor.update ? (isEdge(sensor) ? 'no floor' : rangeWords(sensor)) : 'no data'}
            />
          ))}
        </Table>
      ))}
      {touched.map(
        ({ title, parts }) =>
          parts.length > 0 && (
            <Table key={title} title={title}>
              {parts.map((part) => {
                const pressed = bool(contact(part.part)?.data, 'contacted')
                const value = pressed === null ? 'no event yet' : pressed ? 'pressed' : 'free'
                return (
                  <Row
                    key={part.part}
                    name={part.label}
                    value={value}
                    loud={pressed === true}
                    quiet={pressed === null}
                  />
                )
              })}
            </Table>
          ),
      )}
      {lights.length > 0 && (
        <Table title="Light">
          {lights.map((part) => {
            const level = newest(feed, robot.robot, 'light', part.part)?.data?.['level_ratio']
            const known = typeof level === 'number' ? level : null
            return (
              <Row
                key={part.part}
                name={part.label}
                value={quantity(known, 'ratio')}
                quiet={known === null}
              />
            )
          })}
        </Table>
      )}
    </div>
  )
}

function rangeWords(sensor: Sensor): string {
  if (sensor.valid) return quantity(sensor.distance_m, 'm')
  return sensor.status ? words(sensor.status).toLowerCase() : 'no data'
}

/** Sensors by what their readings are derived from, so that it is said once for all of them. */
const byOrigin = (list: Sensor[]) => grouped(list, ({ update }) => JSON.stringify(update?.provenance ?? null))

interface TableProps {
  title: string
  provenance?: Origin | undefined
  children: preact.ComponentChildren
}

function Table({ title, provenance, children }: TableProps) {
  return (
    <table>
      <caption>
        {title}
        <Provenance of={provenance} />
      </caption>
      <tbody>{children}</tbody>
    </table>
  )
}

function Row({ name, value, loud, quiet }: { name: string; value: string; loud?: boolean; quiet?: boolean }) {
  return (
    <tr class={loud ? 'loud' : quiet ? 'quiet' : ''}>
      <th scope="row">{name}</th>
      <td>{value}</td>
    </tr>
  )
}
