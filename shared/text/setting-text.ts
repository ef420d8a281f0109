/** Words for the states of a setting. */
export const SETTING_STATE_WORD = {
  good: 'as it should be',
  missing: 'missing',
  unfit: 'in the way',
  differs: 'differs between Pods or ranks',
  unknown: 'not told',
  note: 'worth knowing',
} as const;
