/** Ends of a point-to-point operation, from its name: ranks inside the group. */
import type { FlightRecorderDump } from '../../model/flight-recorder.ts';

const SEND = /:send (\d{1,7})->(\d{1,7})$/;
const RECV = /:recv (\d{1,7})<-(\d{1,7})$/;

export interface Ends {
  readonly send: boolean;
  readonly from: number;
  readonly to: number;
}

/** Undefined if the name does not tell both ends (`recv 3<-?`). */
export function endsOf(dump: FlightRecorderDump, row: number): Ends | undefined {
  const text = dump.strings[dump.columns.op[row] ?? -1] ?? '';
  const send = SEND.exec(text);
  if (send !== null) return { send: true, from: Number(send[1]), to: Number(send[2]) };
  const receive = RECV.exec(text);
  return receive === null ? undefined : { send: false, from: Number(receive[2]), to: Number(receive[1]) };
}
