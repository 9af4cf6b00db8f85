export interface QueueView {
  readonly name: string;
  readonly active: number;
  readonly locked: number;
  readonly scheduled: number;
  readonly deadLettered: number;
}
