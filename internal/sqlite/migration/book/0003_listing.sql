-- The listing of a security that was bought: its exchange (ISO 10383) and the currency of its quotes.
ALTER TABLE security ADD COLUMN exchange TEXT;
ALTER TABLE security ADD COLUMN currency TEXT;
