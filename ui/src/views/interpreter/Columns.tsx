// One event side by side: the model, what the robot sent, and the words of each dialect.

import './columns.css'

import type { Dialect, NativeMessage, Robot, Update } from '../../api/types'
import { dialects, kinds } from '../../live/gateway'
import { MessageBox } from './MessageBox'
import { ModelColumn } from './ModelColumn'
import { numbering, pairUp } from './pairing'

interface Props {
  update: Update
  robot: Robot | undefined
  /** Old values are no longer so. */
  dim: boolean
}

export function Columns({ update, robot, dim }: Props) {
  const all = dialects.value
  const shape = kinds.value[update.kind]
  const native = update.native ?? null
  const messages = update.messages ?? []
  const sides = [...(native ? [native] : []), ...messages].map((message) => ({
    message,
    paired: pairUp(update, message, all),
  }))
  const numbers = numbering(
    update,
    sides.map((it) => it.paired),
  )
  // The robot's own dialect stands beside the model.
  const isOwn = (dialect: string) => Number(dialect === robot?.family)
  const speaking = [...new Set(messages.map((it) => it.dialect))].sort((a, b) => isOwn(b) - isOwn(a))
  const others = all.filter((it) => !speaking.includes(it.name))
  // Of what happened before the page looked, the gateway keeps the model's words only.
  const knows = (it: Dialect) => it.messages.some((message) => message.kinds.includes(update.kind))
  const later = update.messages ? [] : others.filter(knows)
  const silent = others.filter((it) => !later.includes(it))
  const box = (message: NativeMessage) => {
    const paired = sides.find((it) => it.message === message)?.paired
    return paired && <MessageBox key={message.topic} {...{ update, message, paired, numbers, shape }} />
  }
  return (
    <div
      class={dim ? 'sidebyside dim' : 'sidebyside'}
      role="group"
      aria-label={`${update.key} in the model and in each dialect`}
    >
      <ModelColumn update={update} shape={shape} numbers={numbers} />
      <div class="others">
        {native && (
          <section class="column panel native" aria-label={`What ${update.robot} really sent`}>
            <header>
              <h2>What {update.robot} sent</h2>
              <span class="tag">{native.dialect}</span>
            </header>
            {box(native)}
          </section>
        )}
        {speaking.map((name) => (
          <section key={name} class="column panel" aria-label={`In the words of ${name}`}>
            <header>
              <h2>{name}</h2>
              <span class="muted">{all.find((it) => it.name === name)?.robots}</span>
            </header>
            {messages.filter((it) => it.dialect === name).map(box)}
          </section>
        ))}
        {(others.length > 0 || !native) && (
          <section class="column rest" aria-label="Other dialects">
            {later.map(({ name }) => (
              <p key={name}>
                <strong>{name}</strong> has words for {update.kind}. You see them when it happens again.
              </p>
            ))}
            {silent.map(({ name }) => (
              <p key={name}>
                <strong>{name}</strong> has no words for{' '}
                {update.part === null ? update.kind : `${update.kind}/${update.part}`}.
              </p>
            ))}
            {!native && <p class="muted">{nothingSent(update, robot)}</p>}
          </section>
        )}
      </div>
    </div>
  )
}

/** Why there is no message of the robot. */
function nothingSent({ robot: name, messages, provenance }: Update, robot: Robot | undefined): string {
  if (provenance) return `${name} sent nothing of it: the gateway derived it.`
  if (robot?.origin === 'simulated') {
    return `${name} is simulated: it speaks the model itself, so there is nothing that it really sent.`
  }
  // Of what the gateway remembers it keeps no messages; and of a robot that it does not know nothing is sure.
  return robot && messages
    ? 'This came without the message of a robot: the gateway tells it itself.'
    : 'What the robot sent is not known any more.'
}
