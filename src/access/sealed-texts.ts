/** One text that a `SecretBox` sealed, and where it is stored. */
export interface SealedText {
  /** Kind of the object that it belongs to. */
  place: 'webhooks' | 'pipes' | 'connections' | 'invitations';
  id: string;
  /** It opens only with this context. */
  context: string;
  sealed: string;
}

/** Port: everything sealed that the store holds, beside its seal (`SealStore`). */
export interface SealedTexts {
  list(): Promise<SealedText[]>;
  /** False when something else is stored there by now; then nothing is changed. */
  replace(text: SealedText, sealed: string): Promise<boolean>;
}
