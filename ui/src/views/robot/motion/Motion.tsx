// Attitude, place and speed: an artificial horizon, a compass and the numbers.

import './motion.css'

import { number, text } from '../../../live/read'
import { Panel } from '../Panel'
import { allOf, drawnWith, newest, type Shown } from '../robotFeed'
import { quantity } from '../units'
import { Compass } from './Compass'
import { Facts } from './Facts'
import { Horizon } from './Horizon'

export function Motion(shown: Shown) {
  return (
    <Panel title="Attitude and motion" kind="motion">
      <Inside {...shown} />
    </Panel>
  )
}

function Inside({ robot, feed }: Shown) {
  drawnWith(feed.tick.value)
  const pose = newest(feed, robot.robot, 'pose')?.data
  const imus = allOf(feed, robot.robot, 'imu')
  const attitude = imus.find((imu) => number(imu.data, 'orientation.roll_rad') !== null)?.data
  const roll = number(attitude, 'orientation.roll_rad') ?? number(pose, 'roll_rad')
  const pitch = number(attitude, 'orientation.pitch_rad') ?? number(pose, 'pitch_rad')
  const yaw = number(pose, 'yaw_rad') ?? number(attitude, 'orientation.yaw_rad')
  const measured = newest(feed, robot.robot, 'velocity', 'measured')?.data
  const commanded = newest(feed, robot.robot, 'velocity', 'commanded')?.data
  const odometer = newest(feed, robot.robot, 'odometer')?.data
  const encoders = newest(feed, robot.robot, 'encoders')?.data
  return (
    <>
      <div class="dials">
        <Horizon roll_rad={roll} pitch_rad={pitch} />
        <Compass yaw_rad={yaw} />
      </div>
      <div class="groups">
        <Facts
          title={`Pose${text(pose, 'frame') ? `, ${text(pose, 'frame')} frame` : ''}`}
          facts={[
            ['x', quantity(number(pose, 'x_m'), 'm')],
            ['y', quantity(number(pose, 'y_m'), 'm')],
            ['Yaw', quantity(yaw, 'rad')],
          ]}
        />
        <Facts
          title="Speed"
          facts={[
            ['Ahead', quantity(number(measured, 'linear_mps'), 'm/s')],
            ['… asked for', quantity(number(commanded, 'linear_mps'), 'm/s')],
            ['Turning', quantity(number(measured, 'angular_radps'), 'rad/s')],
            ['… asked for', quantity(number(commanded, 'angular_radps'), 'rad/s')],
          ]}
        />
        {imus.map((imu) => (
          <Facts
            key={imu.key}
            title={imu.part ? `Inertial unit, ${imu.part}` : 'Inertial unit'}
            facts={[
              ...axes(imu.data, 'linear_acceleration', 'mps2', 'm/s²', 'a'),
              ...axes(imu.data, 'angular_velocity', 'radps', 'rad/s', 'ω'),
            ]}
          />
        ))}
        {encoders && (
          <Facts
            title="Wheels"
            facts={(['left', 'right'] as const).flatMap((side): [string, string][] => [
              [
                side === 'left' ? 'Left' : 'Right',
                quantity(number(encoders, `${side}.velocity_radps`), 'rad/s'),
              ],
              ['… turned', turns(number(encoders, `${side}.rotation_rad`))],
            ])}
          />
        )}
        {odometer && (
          <Facts
            title="Odometer"
            facts={[
              ['This trip', quantity(number(odometer, 'trip_m'), 'm')],
              ['In', quantity(number(odometer, 'trip_s'), 's')],
              ['In all', quantity(number(odometer, 'total_m'), 'm')],
            ]}
          />
        )}
      </div>
    </>
  )
}

function axes(
  data: Record<string, unknown> | undefined,
  record: string,
  end: string,
  unit: string,
  sign: string,
) {
  return ['x', 'y', 'z'].flatMap((axis): [string, string][] => {
    const value = number(data, `${record}.${axis}_${end}`)
    return value === null ? [] : [[`${sign} ${axis}`, quantity(value, unit)]]
  })
}

const turns = (rotation_rad: number | null) =>
  quantity(rotation_rad === null ? null : rotation_rad / (2 * Math.PI), 'turns', 1)
