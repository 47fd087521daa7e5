-- Where some dividends were in another currency than the prices, no splits were kept
-- either, and what is not known of a history is not asked for again. Now splits are
-- told. The years go with their series.
DELETE FROM series
WHERE source = 'yahoo' AND cover ->> '$.actions' IS NULL AND cover ->> '$.provenance.note' LIKE '%Some dividends are told in %';
