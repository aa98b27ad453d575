# Verbs of the tree. `make check` is what CI runs.
.PHONY: check test lint fuzz bench bench-encoder bench-index bench-index-large bench-cluster bench-search generate golden parity run cross arm64

export CGO_ENABLED ?= 0

FUZZTIME ?= 5s

check:            ## everything that CI runs
	bash .ci/run

test:             ## the README's test command
	go test ./...

lint:             ## form and common faults
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { echo "not gofmt'ed:"; gofmt -l $$(git ls-files '*.go'); exit 1; }
	go vet ./...
	go tool -modfile=.ci/tools.mod staticcheck ./...

fuzz:             ## each fuzz target for FUZZTIME
	bash .ci/fuzz $(FUZZTIME)

bench:            ## the benchmarks beside the code
	go test -run '^$$' -bench . -benchmem ./...

bench-encoder:    ## the encoder against its peers; DATA is a folder with SciFact's corpus
	bash bench/encoder/run.sh --data $(DATA)

bench-cluster:    ## k-means against its peers; PYTHON has bench/cluster/requirements.txt
	bash bench/cluster/run.sh $(PYTHON)

bench-index:      ## the index against its peers (bench/index/run.sh says what it needs)
	bash bench/index/run.sh clustered-50k clustered-200k scifact

bench-index-large: ## the same with a million vectors
	bash bench/index/run.sh clustered-1M

bench-search:     ## searches in a library of a million generated papers in LIBRARY, which is made first: half an hour
	go run -C bench ./search make -library $(abspath $(LIBRARY))
	go run -C bench ./search run -library $(abspath $(LIBRARY))

generate:         ## generated files: assembly, the seeds' vectors
	go generate ./...

golden:           ## rewrite the golden files; the reader of the diff decides
	go test $$(grep -rl 'Bool("update"' --include='*_test.go' . | xargs -n1 dirname | sort -u) -update
	go test ./internal/engine -run SciFactQuality -quality -update -timeout 60m # all of SciFact dev: minutes

parity:           ## every reference text at every level and precision: half an hour, nearly all of it plain Go
	AKIN_PARITY=1 go test ./embed -run TestParityWithTheReference -v -timeout 90m

cross:            ## builds for the other systems
	bash .ci/cross

arm64:            ## the kernels, the parity and the first command under emulation
	bash .ci/arm64

run:              ## the README's first command
	go run ./cmd/akin search "policy gradient variance without a critic"
