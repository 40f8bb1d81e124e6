/** Setting of the project whose pipelines deploy, which a CI template cannot set. */
export interface ProjectSetting {
  readonly name: string;
  /** Value before any change, or the reason why it is unknown. */
  readonly present: SettingReading;
  readonly wanted: string;
  /** Step for an operator if the program cannot set it. Lines after the first one are code. */
  readonly byHand: string;
  /** Absent if no API sets it, or if only an operator can decide. */
  readonly change?: SettingChange;
}

export type SettingReading = { readonly value: string } | { readonly unread: string };

export interface SettingChange {
  write(): Promise<void>;
  /** Reads the value again: a write can succeed without a response. */
  read(): Promise<string>;
}
